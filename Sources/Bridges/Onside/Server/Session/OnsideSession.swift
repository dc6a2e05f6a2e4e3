package import BridgeCore
package import BridgeRuntime
package import OnsideKit
package import Sessions

/// The store of one session: a launch of OnsideKit, connected to the session's sheets, rules, journal and durable state.
@BridgeActor
package final class OnsideSession: SessionBridge {
  /// The app's store.
  package let onside: Onside
  private let context: SessionContext
  private let onLaunch: ((Onside) -> Void)?
  private let configuration: Shared<OnsideConfiguration>
  /// Tells the publisher's backend of changes; nil if `onside.notifications` does not say where it is.
  package let notifier: OnsideNotifier?
  private let worlds: OnsideWorlds
  private let lint: OnsideLint
  private var usualContract: OnsideContract { configuration.wrappedValue.settings.contract }

  package init(
    _ context: SessionContext, configuration: Shared<OnsideConfiguration>, worlds: OnsideWorlds,
    historySigner: any HistorySigner, notifications sender: NotificationSender? = nil,
    serverClock: any BridgeClock = SystemBridgeClock(),
    onLaunch: ((Onside) -> Void)?
  ) {
    let notifier = sender.map { sender in
      OnsideNotifier(
        context, sender, bundleIdentifier: configuration.wrappedValue.bundleIdentifier, clock: serverClock)
    }
    self.notifier = notifier
    let lint = OnsideLint(context, configuration: configuration, serverClock: serverClock)
    self.lint = lint
    self.onLaunch = onLaunch
    self.context = context
    self.configuration = configuration
    self.worlds = worlds
    let (state, journal, rules) = (context.state, context.journal, context.rules)
    // Equal values are shared between sessions.
    let contract = state.record.profile.onsideContract ?? configuration.wrappedValue.settings.contract
    var stored = state.record.onside
    if stored.settings.contract != contract { stored.settings.contract = contract }
    let world = worlds.world(of: stored)
    if let world { stored = world.joined(by: stored) }
    if stored != state.record.onside { state.record.onside = stored }
    // Set before anything can change.
    let launched = LaunchedOnside()
    onside = Onside(
      configuration: configuration,
      state: stored,
      clock: context.clock,
      random: context.random,
      presenter: context.presenter,
      historySigner: historySigner,
      onStateChange: { changed in
        let former = state.record.onside
        let device = launched.onside?.followedDevice
        let note = { @BridgeActor in
          let transactions = RowChanges(from: former.transactions, to: changed.transactions)
          journal.appendChanges(from: former, to: changed, transactions, by: device)
          state.record.onside = changed
          // The other device tells the backend of its change.
          if device == nil { notifier?.noteChanges(from: former, to: changed) }
          lint.queueChanged(transactions)
          launched.onside?.store.changed(from: former, to: changed)
        }
        // No call of this session's pages is the cause of what the store or another device does.
        if device != nil || launched.onside?.isFollowingClock == true {
          MessageCause.$current.withValue(nil) { note() }
        } else {
          note()
        }
      }
    )
    launched.onside = onside
    onside.orderTotal = worlds.orderTotal
    if let world { onside.join(world, as: context.sessionID) }
    if onside.state != stored { state.record.onside = onside.state }
    // The call never fails, so the page does not learn what was dropped. The log tells its developer.
    onside.onEventTracked = { event in
      for remark in event.remarks { context.log("onside.trackEvent: \(event.name): \(remark)") }
      context.note(event.made, action: OnsideCall.trackEvent.action)
      if event.remarks.isEmpty { return }
      for mistake in OnsideMistakes.event(event) { lint.report(mistake.rule, mistake.about) }
    }
    onside.onBound = { context.noteBound($0) }
    lint.begin(onside)
    onside.store.stored = { await state.stored() }
    onside.store.onProductsRequest = { lint.noteUnknown($0, "products of the store") }
    context.store = onside.store
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

  /// Gives the settings the values of the configuration again. The contract stays, since pages follow it.
  package func restoreSettings() {
    var settings = configuration.wrappedValue.settings
    settings.contract = onside.settings.contract
    onside.settings = settings
  }

  // MARK: The session

  package var shimVariant: String? { onside.settings.contract.rawValue }

  package var json: [String: JSONValue] {
    [
      "account": onside.account.map { .string($0.id) } ?? .null,
      "storefront": onside.isStorefrontAway
        ? .null : .string(onside.account?.countryCode ?? onside.settings.storefront),
      "onsideContract": .string(onside.settings.contract.rawValue),
      "world": onside.state.world.map { .string($0.name) } ?? .null,
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

  package func makePage(_ page: any BridgePage) -> (any PageBridge)? {
    OnsidePage(OnsideJS(onside), lint, page: page)
  }

  package var isLintPending: Bool { lint.isPending }

  package func runHostCode(_ body: () -> Void) {
    Onside.withCurrent(onside) { body() }
  }

  package func received(_ event: SessionEvent) {
    switch event {
    case .launched: launched()
    // No message depends on the visit, so pages need not wait for the disk.
    case .pageVisited(let url, let referrer): context.state.quietly { onside.noteVisit(url: url, referrer: referrer) }
    case .formerPageConnected: onside.continueFormerLaunch()
    case .profileChanged: profileChanged()
    case .stateLost:
      onside.rollBack(to: context.state.record.onside)
      notifier?.rollBack()
    case .storeMayWork: onside.goOn()
    case .otherDeviceBegins: shareWorld()
    case .testEnds: lint.conclude(isOver: false)
    case .runEnds: lint.conclude(isOver: true)
    case .appWillEnd: onside.appWillEnd()
    case .movedElsewhere: if let world = onside.state.world { worlds.forget(world.name) }
    case .ended:
      onside.terminate()
      lint.end()
      notifier?.end()
    case .clockChanged: onside.clockChanged()
    case .restarted, .deleted, .device: break
    }
  }

  private func launched() {
    notifier?.begin(onside)
    // Time has passed since the state was stored.
    onside.clockChanged()
    // Pages get the world's values when all of them are stored.
    if onside.state.world != nil { context.state.changed() }
    guard let onLaunch else { return }
    runHostCode { onLaunch(onside) }
  }

  private func profileChanged() {
    let contract = context.state.record.profile.onsideContract ?? usualContract
    if onside.settings.contract != contract { onside.settings.contract = contract }
  }

  private func shareWorld() {
    guard onside.state.world == nil else { return }
    let name = context.sessionID
    onside.join(worlds.make(name, of: onside.state), as: name)
  }
}

/// The launch, for closures that are called while it is being created.
@BridgeActor
private final class LaunchedOnside {
  weak var onside: Onside?
}
