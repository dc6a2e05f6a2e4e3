import BridgeCore
import BridgeRuntime

/// The shared part of one launch: the durable state, the account and its storefront, the region, and the access to native sheets.
@BridgeActor
final class OnsideLaunch {
  @Shared private(set) var configuration: OnsideConfiguration
  let clock: any BridgeClock
  let random: BridgeRandom
  let historySigner: (any HistorySigner)?
  /// The way to the store's servers.
  let roundTrips: RoundTrips
  private let presenter: any SheetPresenter
  private var onStateChange: ((OnsideState) -> Void)?
  /// The world that the session shares with other devices.
  private var world: OnsideWorld?
  /// The device whose change of the world this one is following now.
  private(set) var followedDevice: String?

  /// The app's delegate.
  weak var delegate: (any OnsideDelegate)?
  /// Decides the outcomes of flows, by rules.
  var decideOutcome: ((OnsideCall, [String: JSONValue]) -> OnsideOutcome?)?
  /// Called after the storefront has changed.
  var storefrontDidChange: ((OnsideStorefront?) -> Void)?
  /// Called after the account has changed, and after ``storefrontDidChange``.
  var accountDidChange: (() -> Void)?

  /// Called when orders were deleted, on whichever device, with their ids.
  var ordersWereDeleted: ((Set<String>) -> Void)?

  /// Asks for consent to price increases.
  private let priceConsent = PriceConsent()
  /// Wakes the launch for the next step of the ledger.
  private let renewalAlarm = RenewalAlarm()
  /// When the store takes its next step by itself.
  private var nextStep: Double?
  /// Whether the store brings the ledger to the clock now. During `onStateChange`, no call of a page is the cause of the change.
  private(set) var isAdvancing = false
  /// The products as pages receive them.
  var pricedProducts = PricedProducts()
  /// Counts the orders of all sessions of the server, until the launch ends; nil outside of a server.
  var orderTotal: OrderTotal? {
    didSet { orderTotal?.change(by: state.ledger.purchases.count) }
  }

  private(set) var storefront: OnsideStorefront?
  private var storefrontIDs: [String: String] = [:]
  private var login: Task<Void, Never>?
  private var loginWaiters: [(Bool) -> Void] = []
  /// Counts the logins that have begun, and those that ended without an answer of their sheet.
  private var loginNumber = 0

  init(
    configuration: Shared<OnsideConfiguration>,
    state: OnsideState,
    clock: any BridgeClock,
    random: BridgeRandom,
    presenter: any SheetPresenter,
    historySigner: (any HistorySigner)?,
    onStateChange: ((OnsideState) -> Void)?
  ) {
    _configuration = configuration
    roundTrips = RoundTrips(configuration.wrappedValue.roundTrip)
    var state = state
    state.beginLaunch()
    self.state = state
    self.clock = clock
    self.random = random
    self.presenter = presenter
    self.historySigner = historySigner
    self.onStateChange = onStateChange
    storefront = currentStorefront
  }

  /// The state that outlives the launch. Each change is reported to the store. Its ledger may be behind the clock: see ``ledger``.
  var state: OnsideState {
    didSet {
      if state == oldValue { return }
      let leads = world != nil && followedDevice == nil && state.common != oldValue.common
      // Not from the session's source: its ids must not depend on which device leads.
      if leads { state.world?.version = Self.versions.uuid() }
      orderTotal?.change(by: state.ledger.purchases.count - oldValue.ledger.purchases.count)
      onStateChange?(state)
      if leads { world?.follow(self) }
      priceConsent.update(self)
      if state.ledger != oldValue.ledger || state.settings.renewals != oldValue.settings.renewals { waitForStep() }
    }
  }

  private static let versions = BridgeRandom()

  /// The launch begins: asks for consent to price increases that are pending, and waits for the next step of the ledger.
  func begin() {
    refreshAccount()
    priceConsent.update(self)
    waitForStep()
  }

  private func waitForStep() {
    nextStep = state.ledger.subscriptions.isEmpty ? nil : state.ledger.nextStep(terms: terms)
    renewalAlarm.set(to: nextStep.map { BridgeInstant(millisecondsSinceEpoch: $0) }, of: self)
  }

  /// The time of the next step has come, unless the clock was set back.
  func alarmFired() {
    advanceLedger()
    waitForStep()
  }

  // MARK: The ledger

  /// The ledger at the present time. Everything that answers, decides or shows something by the ledger reads it here.
  var ledger: OnsideLedger {
    advanceLedger()
    return state.ledger
  }

  /// Changes the ledger. It is at the present time before and after.
  @discardableResult
  func changeLedger<Result>(_ change: (inout OnsideLedger) -> Result) -> Result {
    var ledger = ledger
    let result = change(&ledger)
    state.ledger = ledger
    advanceLedger()
    return result
  }

  /// Brings the ledger to the clock, step by step: subscriptions renew, fail to, or end. Each step is a change of its own, of which the
  /// backend is told.
  func advanceLedger() {
    guard !isAdvancing, let nextStep, nextStep <= now else { return }
    isAdvancing = true
    defer { isAdvancing = false }
    let now = now
    let terms = terms
    var ledger = state.ledger
    while ledger.takeStep(at: now, terms: terms) {
      state.ledger = ledger
      ledger = state.ledger
    }
  }

  /// Orders were deleted. Their transactions leave the queues of all devices.
  func dropTransactions(ofOrders ids: Set<String>) {
    ordersWereDeleted?(ids)
    world?.dropTransactions(ofOrders: ids, after: self)
  }

  // MARK: The world

  /// Joins a world. The world's values replace those of the session.
  func join(_ world: OnsideWorld, as name: String) {
    state = world.joined(by: state)
    self.world = world
    world.add(self, as: name)
    refreshAccount()
  }

  /// Another device has changed what the devices have in common.
  func follow(_ world: OnsideWorld, after device: String) {
    followedDevice = device
    state = world.joined(by: state)
    followedDevice = nil
    refreshAccount()
  }

  /// Rolls back to a state that the store has: later changes were not stored. Nobody is notified.
  func rollBack(to state: OnsideState) {
    let tell = onStateChange
    onStateChange = nil
    let world = world
    self.world = nil
    self.state = state
    self.world = world
    world?.follow(self)
    // Products that pages had loaded may be gone.
    pricedProducts = PricedProducts()
    onStateChange = tell
    storefront = currentStorefront
  }

  /// Terminates the launch: nothing reaches the store any more, and sheets close.
  func terminate() {
    onStateChange = nil
    orderTotal?.change(by: -state.ledger.purchases.count)
    orderTotal = nil
    world?.remove(self)
    world = nil
    login?.cancel()
    login = nil
    priceConsent.end()
    renewalAlarm.end()
    nextStep = nil
  }

  // MARK: Region

  /// The region for products: the account's country, the assumption of the app's delegate or of a page, or the system region, in this
  /// order.
  ///
  /// An assumption that is not a country counts as none. A system region that is not a country counts as the United States. Both are ours.
  var territory: Territory {
    if let storefront, let territory = Territory(code: storefront.countryCode) { return territory }
    let assumption = delegate?.onsideDefaultCountryCodeAssumption() ?? state.launch.countryCodeAssumption
    return Territory(code: assumption) ?? systemTerritory
  }

  /// Whether the login sheet shows only local methods, because the app's delegate or a page says so.
  var shouldForceLocalLoginMethods: Bool {
    delegate?.onsideShouldForceLocalLoginMethods() == true || state.launch.shouldForceLocalLoginMethods
  }

  private var systemTerritory: Territory {
    let code = configuration.systemRegion ?? state.settings.storefront
    return Territory(code: code) ?? Territory.unitedStates
  }

  /// The product as it is sold in `countryCode`, or nil if it is not sold there.
  func product(_ identifier: String, in countryCode: String) -> OnsideProduct? {
    guard let territory = Territory(code: countryCode) else { return nil }
    return configuration.product(identifier, in: territory, locale: state.settings.locale)
  }

  // MARK: Accounts

  /// The accounts that can sign in, each in its current country.
  var accounts: [OnsideAccount] {
    var accounts = configuration.startingAccounts(storefront: state.settings.storefront)
    for index in accounts.indices {
      if let countryCode = state.movedAccounts[accounts[index].id] { accounts[index].countryCode = countryCode }
    }
    return accounts
  }

  /// Makes sure that somebody is signed in. Opens the login sheet if nobody is. Calls made while it is open share it, and continue in the
  /// order in which they were made.
  ///
  /// - Returns: Whether somebody is signed in. False if the sheet was dismissed.
  func signIn() async -> Bool {
    if state.account != nil, login == nil { return true }
    return await withCheckedContinuation { continuation in
      signIn { continuation.resume(returning: $0) }
    }
  }

  /// The same with a callback. It runs in the turn in which the login ends, before any call that a page makes because the storefront has
  /// changed.
  func signIn(then body: @escaping (Bool) -> Void) {
    if state.account != nil, login == nil { return body(true) }
    loginWaiters.append(body)
    if login != nil { return noteWaiting() }
    loginNumber += 1
    login = BridgeActor.begin { [self, number = loginNumber] in
      let account = await presentLogin()
      guard number == loginNumber else { return }
      if let account { setAccount(account) }
      finishLogin(account != nil)
    }
  }

  /// Signs an account in without a sheet. This ends a login in progress, as if the person had chosen this account.
  func signIn(_ account: OnsideAccount) {
    setAccount(account)
    guard let login else { return }
    loginNumber += 1
    login.cancel()
    finishLogin(true)
  }

  private func finishLogin(_ isSignedIn: Bool) {
    let waiters = loginWaiters
    loginWaiters = []
    login = nil
    for waiter in waiters { waiter(isSignedIn) }
  }

  /// The account that the person has chosen; nil if the sheet was dismissed.
  private func presentLogin() async -> OnsideAccount? {
    await delay(.requestLogin)
    if Task.isCancelled { return nil }
    if takeError(of: .requestLogin, as: OnsideLoginError.self) != nil { return nil }
    let accounts = accounts
    let answer = await present(.login(self, accounts: accounts))
    // An approval without a choice, such as that of a policy, gets the first account.
    let chosen = answer.fields["account"]?.stringValue ?? accounts.first?.id
    guard answer.approved, !Task.isCancelled else { return nil }
    // The account may have moved while the sheet was open.
    return self.accounts.first { $0.id == chosen }
  }

  /// Signs the account in; with nil, signs out.
  func setAccount(_ account: OnsideAccount?) {
    guard account != state.account else { return }
    state.account = account
    state.isStorefrontAway = false
    updateStorefront()
    accountDidChange?()
  }

  /// Takes the storefront away from the account that is signed in, or gives it back.
  func setStorefrontAway(_ isAway: Bool) {
    state.isStorefrontAway = isAway
    updateStorefront()
  }

  private func updateStorefront() {
    let storefront = currentStorefront
    guard storefront != self.storefront else { return }
    self.storefront = storefront
    storefrontDidChange?(storefront)
  }

  private var currentStorefront: OnsideStorefront? {
    state.isStorefrontAway ? nil : state.account.map { makeStorefront(in: $0.countryCode) }
  }

  /// Applies a change of an account's country, of the storefront in the settings (for the built-in account), or of the configuration.
  func refreshAccount() {
    guard let id = state.account?.id, let account = accounts.first(where: { $0.id == id }) else { return }
    setAccount(account)
  }

  /// The `originalTransactionIdentifier` of an order. In contract 1.3 it is the order itself, until chains of renewals exist. In "docs" it
  /// is nil, except for renewed or restored orders, where it is the first order.
  func originalID(ofOrder orderID: String) -> String? { state.settings.contract == .docs ? nil : orderID }

  /// The storefront of a country. It stays the same during the launch.
  func makeStorefront(in countryCode: String) -> OnsideStorefront {
    let id = storefrontIDs[countryCode] ?? random.uuid()
    storefrontIDs[countryCode] = id
    return OnsideStorefront(id: id, countryCode: countryCode)
  }

  // MARK: Sheets

  /// The page whose call runs. It shows the sheets that the call needs.
  @TaskLocal static var asker: BridgeHost.ID?

  /// Notes that the page's call waits for something that may have a sheet open.
  func noteWaiting() {
    if let asker = Self.asker { presenter.noteWaiting(asker) }
  }

  /// Shows a sheet and waits for its answer.
  func present(_ sheet: OnsideSheet) async -> SheetAnswer {
    let theme = delegate?.onside(uiThemeOverrideForScreen: sheet.kind) ?? state.launch.appearance
    let content = sheet.content.adding("theme", .string(theme.rawValue))
    let answer = await presenter.present(
      Sheet(id: random.uuid(), kind: sheet.kind.rawValue, content: content, asker: Self.asker))
    if answer.isAutomatic { await roundTrips.wait() }
    return answer
  }

  // MARK: Behaviour set on purpose

  /// When the delay that a test has set for `call` ends, if it begins now; nil without a delay.
  ///
  /// The caller asks in the turn in which the delay begins. Later, a test may have moved the clock.
  func endOfDelay(_ call: OnsideCall) -> BridgeInstant? {
    let behaviour = state.settings[call]
    return behaviour.delayMilliseconds > 0 ? clock.now.advanced(by: behaviour.delay) : nil
  }

  /// Waits for the delay that a test has set for `call`, which begins now.
  func delay(_ call: OnsideCall) async { await wait(until: endOfDelay(call)) }

  /// Waits until a delay ends.
  func wait(until end: BridgeInstant?) async {
    // A cancelled sleep ends early. The caller checks for cancellation itself.
    if let end { try? await clock.sleep(until: end) }
  }

  /// Runs `body` after the delay that a test has set for `call`; at once if there is none.
  func afterDelay(of call: OnsideCall, _ body: @escaping @BridgeActor () -> Void) {
    guard let end = endOfDelay(call) else { return body() }
    BridgeActor.begin { [self] in
      await wait(until: end)
      body()
    }
  }

  /// The error that a test has set for `call`, if it is a `type`. An error that occurs once is cleared.
  func takeError<E: OnsideError>(of call: OnsideCall, as type: E.Type) -> E? {
    guard let name = state.settings[call].error, let error = E(rawValue: name) else { return nil }
    _ = state.settings.takeError(of: call)
    return error
  }

  /// Whether a test has set `initializeOnside` to fail. A failure that occurs once is cleared.
  func takeInitializationError() -> Bool {
    guard state.settings[.initializeOnside].error == "reason" else { return false }
    _ = state.settings.takeError(of: .initializeOnside)
    return true
  }

  /// The bridge-level error that a test has set for `call`, such as `bridge.brokenRequest`. An error that occurs once is cleared.
  func takeBridgeError(of call: OnsideCall) -> String? {
    guard let name = state.settings[call].error, OnsideCall.bridgeErrorCases.contains(name) else { return nil }
    _ = state.settings.takeError(of: call)
    return name
  }
}
