package import BridgeCore
package import BridgeRuntime
public import OnsideKit

/// The store of one session: a launch of OnsideKit, connected to the session's sheets, rules, journal and durable state.
@BridgeActor
package final class OnsideSession: SessionBridge {
  /// The app's store.
  package let onside: Onside
  private let context: SessionContext
  private let onLaunch: ((Onside) -> Void)?
  private let configuration: Shared<OnsideConfiguration>
  private let notifier: OnsideNotifier?
  private var usualContract: OnsideContract { configuration.wrappedValue.settings.contract }

  package init(
    _ context: SessionContext, configuration: Shared<OnsideConfiguration>, historySigner: any HistorySigner,
    notifications sender: NotificationSender? = nil, serverClock: any BridgeClock = SystemBridgeClock(),
    onLaunch: ((Onside) -> Void)?
  ) {
    let notifier = sender.map { sender in
      OnsideNotifier(
        context, sender, bundleIdentifier: configuration.wrappedValue.bundleIdentifier, clock: serverClock)
    }
    self.notifier = notifier
    self.onLaunch = onLaunch
    self.context = context
    self.configuration = configuration
    let (state, journal, rules) = (context.state, context.journal, context.rules)
    // Equal values are shared between sessions.
    let contract = state.record.profile.onsideContract ?? configuration.wrappedValue.settings.contract
    var kept = state.record.onside
    if kept.settings.contract != contract {
      kept.settings.contract = contract
      state.record.onside = kept
    }
    onside = Onside(
      configuration: configuration,
      state: kept,
      clock: context.clock,
      random: context.random,
      presenter: context.presenter,
      historySigner: historySigner,
      onStateChange: { changed in
        let former = state.record.onside
        journal.appendChanges(from: former, to: changed)
        state.record.onside = changed
        notifier?.noteChanges(from: former, to: changed)
      }
    )
    if onside.state != kept { state.record.onside = onside.state }
    // The call never fails, so the page learns nothing. The log does, for its developer.
    onside.onEventTracked = { event in
      for remark in event.remarks { context.log("onside.trackEvent: \(event.name): \(remark)") }
      context.note(event.made, action: OnsideCall.trackEvent.action)
    }
    onside.onBound = { context.noteBound($0) }
    onside.decideOutcome = { flow, data in rules.decide(flow, data) }
  }

  /// Signs one of the session's accounts in. An open login sheet is answered with it, as a person would.
  func signIn(account id: String) {
    context.sheets.close(kind: "login", with: .approve(["account": .string(id)]))
    onside.signIn(account: id)
  }

  /// The session's time.
  var now: BridgeInstant { context.clock.now }

  /// Returns the id of the account that buys an earlier purchase.
  ///
  /// - Throws: `OptionError` if there is no such account, or if the product is not sold in its country.
  func buyer(of product: SeededProduct, signedIn: String?) throws(OptionError) -> String {
    try product.buyer(among: onside.accounts, signedIn: signedIn, in: configuration.wrappedValue)
  }

  /// Makes pages that load from now on use a contract of `window.onside`.
  func follow(_ contract: OnsideContract) {
    context.state.record.profile.onsideContract = contract
    if onside.settings.contract != contract { onside.settings.contract = contract }
  }

  // MARK: The session

  package var shimVariant: String? { onside.settings.contract.rawValue }

  package var json: [String: JSONValue] {
    [
      "account": onside.account.map { .string($0.id) } ?? .null,
      "storefront": onside.isStorefrontAway
        ? .null : .string(onside.account?.countryCode ?? onside.settings.storefront),
      "onsideContract": .string(onside.settings.contract.rawValue),
      "unfinishedTransactions": .number(Double(onside.defaultPaymentQueue().transactions.count)),
    ]
  }

  package var sheetSettings: [String: JSONValue] {
    let settings = onside.settings
    var members: [String: JSONValue] = ["locale": .string(settings.locale)]
    if settings.askToBuyEnabled {
      members["waitsFor"] = "approval"
    } else if settings.interruptedPurchasesEnabled {
      members["waitsFor"] = "interruption"
    }
    return members
  }

  package func makePage(_ page: any BridgePage) -> (any PageBridge)? { OnsideJS(onside) }

  package func launched() {
    notifier?.begin(onside)
    guard let onLaunch else { return }
    runHostCode { onLaunch(onside) }
  }

  package func runHostCode(_ body: () -> Void) {
    Onside.withCurrent(onside) { body() }
  }

  package func pageVisited(url: String, referrer: String) {
    // The page is not told of it, and need not wait for the disk.
    context.state.quietly { onside.noteVisit(url: url, referrer: referrer) }
  }

  package func formerPageCameBack() {
    onside.continueFormerLaunch()
  }

  package func profileChanged(from former: [String: JSONValue]) {
    let contract = context.state.record.profile.onsideContract ?? usualContract
    if onside.settings.contract != contract { onside.settings.contract = contract }
  }

  package func stateWasLost() {
    onside.rollBack(to: context.state.record.onside)
    notifier?.rollBack()
  }

  package func stateMayBeKeptAgain() {
    onside.goOn()
  }

  package func appWillEnd() {
    onside.appWillEnd()
  }

  package func end() {
    onside.terminate()
    notifier?.end()
  }
}

extension OnsideJS: PageBridge {
  /// A page of an earlier run of the server may come back.
  public func expect(_ page: any BridgePage) {
    expect(host: page.host)
  }

  /// The page opens.
  public func open(_ page: any BridgePage) {
    open(host: page.host)
  }

  /// The page has ended.
  public func close(_ page: any BridgePage) {
    detach()
  }
}
