import BridgeCore
import BridgeServer
import OnsideKit
public import Sessions

extension OnsideDefinition {
  /// What rules can say about the store: functions of `window.onside`, such as `onside.purchase`; callbacks of the page, such as
  /// `onside.onTransactionsUpdated`; flows that continue after their promise, `onside.payment` and `onside.restore`; sheets; and a backend's
  /// request, `onside.merchantAPI`.
  public var rules: RuleVocabulary {
    var rules = RuleVocabulary(
      actions: "a function of window.onside such as onside.purchase, a callback such as onside.onTransactionsUpdated, "
        + "onside.payment, onside.restore, \(MerchantAPI.ruleAction)")
    rules.knownActions =
      OnsideCall.allCases.map(\.action) + OnsideCallback.allCases.map(\.action) + [MerchantAPI.ruleAction]
    rules.requests = OnsideCall.allCases.filter { $0 != .payment && $0 != .restore }.map(\.action)
    rules.action = Self.action
    rules.shape = Self.shape
    // The storefront and the transactions are each a member of their answer.
    rules.resultMember = { action in
      switch OnsideCall(action: action.name) {
      case .getCurrentStorefront: "storefront"
      case .getTransactions: "transactions"
      default: nil
      }
    }
    rules.errors = { [contract = configuration.settings.contract] action, variant in
      OnsideCall(action: action.name)?.errorCases(in: OnsideContract(rawValue: variant) ?? contract) ?? []
    }
    rules.problemWithPattern = { [catalogue = configuration.catalogue] in catalogue.problem(withPattern: $0) }
    rules.objection = Self.objection
    return rules
  }

  private static func action(_ name: String) -> RuleAction? {
    if name == MerchantAPI.ruleAction { return RuleAction(name, .backendRequest) }
    if let callback = OnsideCallback(action: name) {
      return RuleAction(name, .callback(isQuestion: callback.isQuestion))
    }
    guard let call = OnsideCall(action: name) else { return nil }
    switch call {
    case .payment, .restore: return RuleAction(name, .flow)
    // The contract requires the answers of these calls before their effects (bridge reference, "purchase", "restoreCompletedTransactions",
    // "finishTransaction"). So they have no effect while the answer is held.
    case .purchase, .restoreCompletedTransactions, .finishTransaction: return RuleAction(name, isHeldBeforehand: true)
    default: return RuleAction(name)
    }
  }

  private static func shape(of action: RuleAction) -> JSONShape? {
    if let kind = action.sheetKind { return sheetMembers[kind].map(OnsideShapes.sheet) }
    if let callback = OnsideCallback(action: action.name) { return OnsideShapes.data(of: callback) }
    if action.name == MerchantAPI.ruleAction { return .object(["orderId": .text]) }
    return OnsideCall(action: action.name).map(OnsideShapes.data)
  }

  private static let sheetMembers = [
    "login": ["title", "store", "methods", "accounts", "theme"],
    "payment": ["product", "name", "method", "account", "storefront", "price", "offer", "theme"],
    "priceChange": [
      "product", "name", "oldPrice", "newPrice", "price", "account", "method", "storefront", "offer", "theme",
    ],
    "priceIncrease": ["product", "name", "oldPrice", "newPrice", "renewsAt", "account", "storefront", "theme"],
    "unavailable": ["product", "name", "storefront", "theme"],
    "paymentMethods": ["account", "methods", "theme"],
  ]

  /// The contract `docs` has fewer errors, and no callback after a login.
  private static func objection(to rule: Rule, variant: String) -> String? {
    if variant == OnsideContract.docs.rawValue, rule.on == OnsideCallback.shouldContinueTransactionAfterLogin.action {
      return "needs a session with onsideContract 1.3: the contract docs has no such callback"
    }
    guard let contract = OnsideContract(rawValue: variant), let call = OnsideCall(action: rule.on) else { return nil }
    let name: String? =
      switch rule.outcome.answer {
      case .response(_, _, let error): error?.code
      case .failure(let name): name
      default: nil
      }
    guard let name, !call.errorCases(in: contract).contains(name) else { return nil }
    let others = OnsideContract.allCases.filter { call.errorCases(in: $0).contains(name) }.map(\.rawValue)
    let wanted = others.joined(separator: " or ")
    return "needs a session with onsideContract \(wanted): the contract \(variant) has no error \(name)"
  }
}

extension OnsideCallback {
  /// The callback with this action; nil if there is none.
  init?(action: String) {
    guard action.hasPrefix("onside.") else { return nil }
    self.init(rawValue: String(action.dropFirst("onside.".count)))
  }
}

extension OnsideCall {
  /// The function or flow with this action; nil if there is none.
  init?(action: String) {
    guard action.hasPrefix("onside.") else { return nil }
    self.init(rawValue: String(action.dropFirst("onside.".count)))
  }
}
