import BridgeCore
import OnsideKit

extension OnsideDefinition: ConfigurableBridge {
  /// The ids of the accounts that can sign in.
  var accountIDs: [String] { configuration.accounts.isEmpty ? section.accountIDs : configuration.accountIDs }

  /// Reads its section of `footbridge.yaml`.
  public mutating func read(_ node: InputNode) throws(OptionError) {
    section = try OnsideSection(node)
    isEnabled = section.isEnabled
    merchant = section.merchant ?? merchant
  }

  /// Its routes of the control API.
  public var routes: [ControlRoute] { SettingsRoutes.all + TransactionRoutes.all + PurchaseRoutes.all }

  /// Reads the answer of a rule.
  public func readAnswer(_ answer: RuleAnswerNode, to action: RuleAction) throws(OptionError) -> Outcome.Answer? {
    if let kind = action.sheetKind {
      return try answer.sheetAnswer { node throws(OptionError) in try sheetFields(node, kind: kind) }
    }
    guard let call = OnsideCall(action: action.name) else { return nil }
    if let error = answer.error {
      let name = try error.text()
      guard call.errorCases.contains(name) else {
        throw error.expected(
          call.errorCases.isEmpty ? "left out: it has none" : "one of: \(call.errorCases.joined(separator: ", "))")
      }
      if !action.isCall { return .failure(name) }
      let payload = BridgeErrorPayload(code: name, message: "\(call.rawValue) was made to fail.", recoverable: false)
      return .response(.error, data: nil, error: payload)
    }
    guard let result = answer.result else { return nil }
    guard action.isCall else { throw result.expected("left out: nothing waits for one") }
    return .response(.success, data: try Self.data(of: call, result), error: nil)
  }

  private func sheetFields(_ node: InputNode, kind: String) throws(OptionError) -> [String: JSONValue] {
    var fields: [String: JSONValue] = [:]
    for (name, value) in try node.members() {
      let isAccount = kind == "login" && name == "account"
      fields[name] = isAccount ? .string(try value.accountID(among: accountIDs)) : try value.json()
    }
    return fields
  }

  /// The data of the response with which the promise resolves to `result`.
  private static func data(of call: OnsideCall, _ result: InputNode) throws(OptionError) -> [String: JSONValue]? {
    switch call {
    case .loadProducts, .getAttributionMetadata, .getSignedInAppsHistory:
      return try result.jsonMembers()
    case .getCurrentStorefront:
      guard result.isMapping || result.isNull else { throw result.expected("a storefront, or null") }
      return ["storefront": try result.json()]
    case .getTransactions:
      guard result.isList else { throw result.expected("a list of transactions") }
      return ["transactions": try result.json()]
    default:
      guard result.isNull else { throw result.expected("null: the promise resolves with undefined") }
      return nil
    }
  }
}
