import BridgeCore
import BridgeRuntime
import OnsideKit

/// The store of one session: a launch of OnsideKit, joined to the session's sheets, rules, journal and durable state.
@BridgeActor
final class OnsideSession: SessionBridge {
  /// The app's store.
  let onside: Onside
  private let context: SessionContext
  private let onLaunch: ((Onside) -> Void)?
  private let usualContract: OnsideContract

  init(
    _ context: SessionContext, configuration: Shared<OnsideConfiguration>, historySigner: any HistorySigner,
    onLaunch: ((Onside) -> Void)?
  ) {
    self.onLaunch = onLaunch
    self.context = context
    usualContract = configuration.wrappedValue.settings.contract
    let (state, journal, rules) = (context.state, context.journal, context.rules)
    // What sessions have in common they share for as long as it is the same.
    let contract = state.record.profile.onsideContract ?? usualContract
    if state.record.onside.settings.contract != contract { state.record.onside.settings.contract = contract }
    onside = Onside(
      configuration: configuration,
      state: state.record.onside,
      clock: context.clock,
      random: context.random,
      presenter: context.presenter,
      historySigner: historySigner,
      onStateChange: { changed in
        journal.appendChanges(from: state.record.onside, to: changed)
        state.record.onside = changed
      }
    )
    if onside.state != state.record.onside { state.record.onside = onside.state }
    // What a page is not told, because the call never fails, its developer is.
    onside.onEventTracked = { event in
      for remark in event.remarks { context.log("onside.trackEvent: \(event.name): \(remark)") }
    }
    onside.onBound = { context.noteBound($0) }
    onside.decideOutcome = { flow, data in rules.decide(flow, data) }
  }

  /// Signs one of the session's accounts in. A login sheet that is open is answered with it, as a person would.
  func signIn(account id: String) {
    context.sheets.close(kind: "login", with: .approve(["account": .string(id)]))
    onside.signIn(account: id)
  }

  // MARK: The session

  var shimVariant: String? { onside.settings.contract.rawValue }

  var json: [String: JSONValue] {
    [
      "account": onside.account.map { .string($0.id) } ?? .null,
      "storefront": .string(onside.account?.countryCode ?? onside.settings.storefront),
      "onsideContract": .string(onside.settings.contract.rawValue),
      "unfinishedTransactions": .number(Double(onside.defaultPaymentQueue().transactions.count)),
    ]
  }

  func makePage(_ page: any BridgePage) -> (any PageBridge)? { OnsideJS(onside) }

  func launched() {
    guard let onLaunch else { return }
    runHostCode { onLaunch(onside) }
  }

  func runHostCode(_ body: () -> Void) {
    Onside.withCurrent(onside) { body() }
  }

  func pageVisited(url: String, referrer: String) {
    // The page is told nothing of it, and need not wait for the disk.
    context.state.quietly { onside.noteVisit(url: url, referrer: referrer) }
  }

  func formerPageCameBack() {
    onside.continueFormerLaunch()
  }

  func profileChanged(from former: [String: JSONValue]) {
    let contract = context.state.record.profile.onsideContract ?? usualContract
    if onside.settings.contract != contract { onside.settings.contract = contract }
  }

  func stateWasLost() {
    onside.rollBack(to: context.state.record.onside)
  }

  func stateMayBeKeptAgain() {
    onside.goOn()
  }

  func end() {
    onside.terminate()
  }
}
