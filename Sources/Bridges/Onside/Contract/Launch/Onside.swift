public import BridgeCore
public import BridgeRuntime

/// OnsideKit of one app process: one launch of the app.
///
/// On iOS everything here is static. One process of the server has many sessions, so each has an instance. A program sets one of them as
/// ``current``. The static names of the vendor's pages then work for it, and host code for iOS compiles unchanged:
///
/// ```swift
/// Onside.current = onside
/// Onside.defaultPaymentQueue().add(observer: observer)
/// ```
///
/// ``state`` holds everything that the next launch needs. `onStateChange` receives it after each change.
@BridgeActor
public final class Onside {
  let launch: OnsideLaunch
  /// What the store sells.
  package var catalogue: Catalogue { launch.configuration.catalogue }
  let pages: OnsidePages
  /// The store as all bridges of the app sell through it.
  package let store: OnsideStore
  /// Passes the purchases of all bridges to the queue.
  let purchaseIntake: PurchaseIntake
  private let queue: OnsidePaymentQueue

  /// The app's delegate. Pages need none: their assumption is ``defaultCountryCodeAssumption``.
  public weak var delegate: (any OnsideDelegate)? {
    didSet { launch.delegate = delegate }
  }

  /// Called on `BridgeActor` with each tracked event, rejected ones included.
  public var onEventTracked: ((OnsideTrackedEvent) -> Void)?

  /// Called on `BridgeActor` when a page reaches one of ``OnsideConfiguration/limits``, with a sentence for the log.
  public var onBound: ((String) -> Void)? {
    get { purchaseIntake.onLimit }
    set { purchaseIntake.onLimit = newValue }
  }

  /// Counts the orders of all sessions of the server; nil outside of a server. Set once.
  package var orderTotal: OrderTotal? {
    get { launch.orderTotal }
    set { launch.orderTotal = newValue }
  }

  /// Decides the outcome of a payment or a restore. Called once for each. Nil lets it continue as usual.
  ///
  /// The data of a payment are `productIdentifier`, `transaction` (its id) and, if there is one, `appAccountToken`. A restore has no data.
  public var decideOutcome: ((OnsideCall, [String: JSONValue]) -> OnsideOutcome?)? {
    get { launch.decideOutcome }
    set { launch.decideOutcome = newValue }
  }

  /// Launches the app.
  ///
  /// - Parameters:
  ///   - configuration: The catalogue and the store's configuration, which many sessions share.
  ///   - state: The state that the last launch left; nil for the first launch of a session.
  ///   - clock: The session's clock.
  ///   - random: The source of ids.
  ///   - presenter: Shows native sheets. Held strongly.
  ///   - historySigner: Signs histories. Without one they fail with `internalError`.
  ///   - onStateChange: Called on `BridgeActor` with the state after each change of it.
  public init(
    configuration: Shared<OnsideConfiguration>,
    state: OnsideState? = nil,
    clock: any BridgeClock,
    random: BridgeRandom,
    presenter: any SheetPresenter,
    historySigner: (any HistorySigner)? = nil,
    onStateChange: ((OnsideState) -> Void)? = nil
  ) {
    let launch = OnsideLaunch(
      configuration: configuration,
      state: state ?? OnsideState(settings: configuration.wrappedValue.settings),
      clock: clock,
      random: random,
      presenter: presenter,
      historySigner: historySigner,
      onStateChange: onStateChange
    )
    self.launch = launch
    queue = OnsidePaymentQueue(launch: launch)
    pages = OnsidePages()
    store = OnsideStore()
    purchaseIntake = PurchaseIntake(launch: launch, queue: queue)
    launch.begin()
    store.begin(self)
  }

  /// The payment queue of the launch.
  public func defaultPaymentQueue() -> OnsidePaymentQueue { queue }

  /// The state that outlives the launch, at the present time.
  public var state: OnsideState {
    launch.advanceLedger()
    return launch.state
  }

  /// Brings the store to the clock: subscriptions whose time has come renew or end. The store does this by itself, also before it answers
  /// anything. Call it in the turn in which the clock was set.
  public func clockChanged() { launch.advanceLedger() }

  /// During `onStateChange`: whether the store brings itself to the clock. No call of a page is the cause of the change.
  public var isFollowingClock: Bool { launch.isAdvancing }

  /// The app is about to be killed. A payment that a rule holds on its way has not reached the store, and starts again with the next launch.
  package func appWillEnd() {
    queue.takeBackHeldPayments()
  }

  /// Terminates the launch, as if the app were killed: sheets close, flows stop, and the state changes no more. The owner calls this before
  /// it releases the launch.
  public func terminate() {
    Self.forgetCurrent(self)
    launch.terminate()
    queue.terminate()
    store.end()
  }

  // MARK: Durability

  /// Continues an earlier launch after one of its pages has come back and ``OnsideJS`` has attached it. The values that pages had set in that
  /// launch apply again, and the page receives the callbacks that were still due.
  public func continueFormerLaunch() {
    guard let former = launch.state.formerLaunch else { return }
    launch.state.formerLaunch = nil
    launch.state.launch.takeOver(former)
    queue.takeOver(former)
  }

  /// Rolls back to a state that `onStateChange` has passed: later changes were not stored. Pages are not notified. The queue is paused
  /// until ``goOn()``.
  public func rollBack(to state: OnsideState) {
    launch.rollBack(to: state)
    queue.rollBack()
  }

  /// Resumes the queue after ``rollBack(to:)``.
  public func goOn() {
    queue.resume()
  }

  // MARK: The world

  /// Joins a world. From now on, the session shares its orders, the countries of its accounts and the renewal of its subscriptions with the
  /// other devices of the world. The world's values replace those of the session.
  ///
  /// - Parameters:
  ///   - world: The world.
  ///   - name: The name of this device, under which the others hear of its changes.
  public func join(_ world: OnsideWorld, as name: String) {
    launch.join(world, as: name)
    queue.dropTransactionsOfUnknownOrders()
  }

  /// During `onStateChange`: the device whose change this session follows; nil for a change of its own.
  public var followedDevice: String? { launch.followedDevice }

  // MARK: Accounts

  /// Signs in with the login sheet (bridge reference, "requestLogin"). Succeeds at once if somebody is signed in: the contract has no error
  /// for this.
  ///
  /// - Throws: `loginDiscarded` if the person dismissed the sheet.
  public func requestLogin() async throws(OnsideLoginError) {
    if account != nil {
      await launch.delay(.requestLogin)
      if let error = launch.takeError(of: .requestLogin, as: OnsideLoginError.self) { throw error }
    }
    guard await launch.signIn() else { throw .loginDiscarded }
  }

  /// Signs out. Payments that were not sent are cancelled. This is ours; the contract does not say.
  public func logout() {
    launch.setAccount(nil)
  }

  /// The accounts that can sign in.
  public var accounts: [OnsideAccount] { launch.accounts }

  /// The account that is signed in.
  public var account: OnsideAccount? { launch.state.account }

  /// Moves an account to another country, as its owner can at any time. The storefront follows.
  ///
  /// - Returns: False if there is no such account or country.
  @discardableResult
  public func move(account id: String, to countryCode: String) -> Bool {
    guard let territory = Territory(code: countryCode), launch.accounts.contains(where: { $0.id == id }) else {
      return false
    }
    launch.state.movedAccounts[id] = territory.alpha2
    launch.refreshAccount()
    return true
  }

  /// Whether the storefront of the account that is signed in is unavailable (bridge reference, "onStorefrontChanged"). When it becomes true,
  /// payments that were not sent fail. New ones are refused until it is false again, or until the account changes.
  public var isStorefrontAway: Bool {
    get { launch.state.isStorefrontAway }
    set { launch.setStorefrontAway(newValue && account != nil) }
  }

  /// Signs an account in without a sheet. An open login sheet closes, and what waits for it continues. Returns false if there is no such
  /// account.
  @discardableResult
  public func signIn(account id: String) -> Bool {
    guard let account = launch.accounts.first(where: { $0.id == id }) else { return false }
    launch.signIn(account)
    return true
  }

  // MARK: Settings

  /// The session's settings. Changes take effect at once.
  public var settings: OnsideSettings {
    get { launch.state.settings }
    set {
      launch.advanceLedger()
      let timeRate = settings.timeRate
      launch.state.settings = newValue
      if newValue.timeRate != timeRate { launch.reschedule() }
      launch.refreshAccount()
      launch.advanceLedger()
    }
  }

  /// The theme of native sheets (bridge reference, "setAppearance").
  public var appearance: OnsideUIThemeMode {
    get { state.launch.appearance }
    set { launch.state.launch.appearance = newValue }
  }

  /// Whether the login sheet shows only local methods (bridge reference, "setShouldForceLocalLoginMethods").
  public var shouldForceLocalLoginMethods: Bool {
    get { state.launch.shouldForceLocalLoginMethods }
    set { launch.state.launch.shouldForceLocalLoginMethods = newValue }
  }

  /// The country to assume while nobody is signed in, alpha-2; empty for none (bridge reference, "setDefaultCountryCodeAssumption"). It
  /// takes precedence over the system region, as the products guide says.
  public var defaultCountryCodeAssumption: String {
    get { state.launch.countryCodeAssumption }
    set { launch.state.launch.countryCodeAssumption = newValue }
  }

  // MARK: Products

  /// Makes a request for products (products guide, step 1). Keep it until it has finished.
  public func makeProductsRequest(productIdentifiers: Set<String>) -> OnsideProductsRequest {
    OnsideProductsRequest(launch: launch, productIdentifiers: productIdentifiers)
  }
}
