public import BridgeCore
public import BridgeRuntime

/// OnsideKit of one app process: one launch of the app.
///
/// On iOS everything here is static. Many sessions live in one process of the server, so each has an instance. A program names one of them
/// as ``current``; the static names of the vendor's pages then work for it, and host code for iOS compiles unchanged:
///
/// ```swift
/// Onside.current = onside
/// Onside.defaultPaymentQueue().add(observer: observer)
/// ```
///
/// ``state`` holds all that the next launch needs. `onStateChange` is called with it after each change.
@BridgeActor
public final class Onside {
  let launch: OnsideLaunch
  let pages: OnsidePages
  /// Takes the purchases of pages to the queue.
  let purchaseIntake: PurchaseIntake
  private let queue: OnsidePaymentQueue

  /// The app's delegate. Pages need none: their assumption is ``defaultCountryCodeAssumption``.
  public weak var delegate: (any OnsideDelegate)? {
    didSet { launch.delegate = delegate }
  }

  /// Called on `BridgeActor` with each event that is tracked, rejected ones included.
  public var onEventTracked: ((OnsideTrackedEvent) -> Void)?

  /// Called on `BridgeActor` each time that a page is refused something because of ``OnsideConfiguration/limits``, with a sentence for the log.
  public var onBound: ((String) -> Void)? {
    get { purchaseIntake.onBound }
    set { purchaseIntake.onBound = newValue }
  }

  /// Decides the outcome of a payment or a restore. Nil lets it go on as usual. The data of a payment are `productIdentifier`,
  /// `transaction` (its id) and, where there is one, `appAccountToken`; a restore has none. Asked once for each.
  public var decideOutcome: ((OnsideCall, [String: JSONValue]) -> OnsideOutcome?)? {
    get { launch.decideOutcome }
    set { launch.decideOutcome = newValue }
  }

  /// Launches the app.
  ///
  /// - Parameters:
  ///   - configuration: The catalogue and the store around it, which many sessions share.
  ///   - state: What the last launch left; nil at the first launch of a session.
  ///   - clock: The session's clock.
  ///   - random: The source of ids.
  ///   - presenter: Shows native sheets. Held strongly.
  ///   - historySigner: Signs histories; without one they fail with `internalError`.
  ///   - onStateChange: Called on `BridgeActor` after each change of what outlives the launch, with all of it.
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
    purchaseIntake = PurchaseIntake(launch: launch, queue: queue, pages: pages)
    launch.refreshAccount()
  }

  /// The launch's one payment queue.
  public func defaultPaymentQueue() -> OnsidePaymentQueue { queue }

  /// What outlives the launch.
  public var state: OnsideState { launch.state }

  /// Ends the launch, as when the app is killed: sheets go away, flows stop where they are, and nothing more reaches the store. Whoever made
  /// the launch calls this before letting go of it.
  public func terminate() {
    Self.forgetCurrent(self)
    launch.terminate()
    queue.terminate()
  }

  // MARK: Durability

  /// A page of an earlier launch has come back, attached by ``OnsideJS`` as any other: what pages had told that launch counts again, and it
  /// hears of what it was still owed.
  public func continueFormerLaunch() {
    guard let former = launch.state.formerLaunch else { return }
    launch.state.formerLaunch = nil
    launch.state.launch.takeOver(former)
    queue.takeOver(former)
  }

  /// Goes back to a state that `onStateChange` has handed out: what came after it could not be kept. Pages are told nothing, and the queue
  /// stands still until ``goOn()``.
  public func rollBack(to state: OnsideState) {
    launch.rollBack(to: state)
    queue.rollBack()
  }

  /// Sets the queue going again after ``rollBack(to:)``.
  public func goOn() {
    queue.goOn()
  }

  // MARK: Accounts

  /// Signs in by the login sheet (bridge reference, "requestLogin"). Succeeds at once if somebody is signed in: the contract has no error for
  /// that.
  ///
  /// - Throws: `loginDiscarded` if the person dismissed the sheet.
  public func requestLogin() async throws(OnsideLoginError) {
    if account != nil {
      await launch.delay(.requestLogin)
      if let error = launch.takeError(of: .requestLogin, as: OnsideLoginError.self) { throw error }
    }
    guard await launch.signIn() else { throw .loginDiscarded }
  }

  /// Signs out. Payments that were not sent are cancelled; the contract does not say what becomes of them.
  public func logout() {
    launch.setAccount(nil)
  }

  /// The accounts that can sign in.
  public var accounts: [OnsideAccount] { launch.accounts }

  /// The account that is signed in.
  public var account: OnsideAccount? { launch.state.account }

  /// Moves an account to another country, as its owner might at any time; the storefront follows.
  ///
  /// - Returns: false when there is no such account or country.
  @discardableResult
  public func move(account id: String, to countryCode: String) -> Bool {
    guard let territory = Territory(code: countryCode), launch.accounts.contains(where: { $0.id == id }) else {
      return false
    }
    launch.state.movedAccounts[id] = territory.alpha2
    launch.refreshAccount()
    return true
  }

  /// Signs an account in without a sheet, as whoever drives the session may. A login sheet that is open is not needed any more: whatever
  /// waits for it goes on. False when there is no such account.
  @discardableResult
  public func signIn(account id: String) -> Bool {
    guard let account = launch.accounts.first(where: { $0.id == id }) else { return false }
    launch.signIn(account)
    return true
  }

  // MARK: Settings

  /// The session's settings; changes take effect at once.
  public var settings: OnsideSettings {
    get { launch.state.settings }
    set {
      launch.advanceLedger()
      let timeRate = settings.timeRate
      launch.state.settings = newValue
      if newValue.timeRate != timeRate { launch.reschedule() }
      launch.refreshAccount()
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

  /// The country that is assumed while nobody is signed in, alpha-2; empty is none (bridge reference, "setDefaultCountryCodeAssumption").
  /// It takes precedence over the system region, as the products guide has it.
  public var defaultCountryCodeAssumption: String {
    get { state.launch.countryCodeAssumption }
    set { launch.state.launch.countryCodeAssumption = newValue }
  }

  // MARK: Products

  /// Makes a request for products; keep it until it has finished (products guide, step 1).
  public func makeProductsRequest(productIdentifiers: Set<String>) -> OnsideProductsRequest {
    OnsideProductsRequest(launch: launch, productIdentifiers: productIdentifiers)
  }
}
