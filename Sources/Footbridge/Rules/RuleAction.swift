import BridgeCore
import OnsideKit
import Today

/// What a rule can be about, by the name that it has in the rule's `on`.
enum RuleAction: Sendable, Hashable {
  /// A function of `window.onside`, as `onside.purchase`; or one of the flows that go on after their promise, `onside.payment` and
  /// `onside.restore`.
  case onside(OnsideCall)
  /// A message of a page to Today by its type, as `today.headers`; without one, as `today.message`, any message.
  case today(TodayMessageType?)
  /// A native screen by its kind, as `footbridge.sheet.payment`.
  case sheet(String)
  /// A request of a GBGBridge page, by its action.
  case gbg(String)

  /// Where the names of sheets begin.
  static let sheetPrefix = "footbridge.sheet."

  /// The kinds of sheets.
  static let sheetKinds = ["capture", "login", "payment", "paymentMethods", "priceChange", "unavailable"]

  /// What `name` means; nil when it is one of our own or of a contract's that does not exist.
  init?(_ name: String) {
    if name.hasPrefix("onside.") {
      guard let call = OnsideCall(rawValue: String(name.dropFirst("onside.".count))) else { return nil }
      self = .onside(call)
    } else if name == TodayBridge.action {
      self = .today(nil)
    } else if name.hasPrefix("today.") {
      guard let type = TodayMessageType(rawValue: String(name.dropFirst("today.".count))) else { return nil }
      self = .today(type)
    } else if name.hasPrefix(Self.sheetPrefix) {
      let kind = String(name.dropFirst(Self.sheetPrefix.count))
      guard Self.sheetKinds.contains(kind) else { return nil }
      self = .sheet(kind)
    } else if name.isEmpty || FootbridgeAction.isFootbridges(name) {
      return nil
    } else {
      self = .gbg(name)
    }
  }

  /// Whether this is a page's call, which has a socket and a response.
  var isCall: Bool {
    switch self {
    case .onside(.payment), .onside(.restore), .sheet: false
    case .onside, .today, .gbg: true
    }
  }

  /// Whether a delay or a gate holds the call itself, and not its answer: the contract has the answer of these come before what they do
  /// (bridge reference, "purchase", "restoreCompletedTransactions", "finishTransaction"), and so nothing may be done while it is held.
  var isHeldBeforehand: Bool {
    switch self {
    case .onside(.purchase), .onside(.restoreCompletedTransactions), .onside(.finishTransaction): true
    case .onside, .today, .sheet, .gbg: false
    }
  }
}
