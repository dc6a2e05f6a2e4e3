import BridgeCore
public import BridgeServer
import OnsideKit
public import Sessions

extension OnsideDefinition: ConfigurableBridge {
  /// The ids of the accounts that can sign in.
  var accountIDs: [String] { configuration.accounts.isEmpty ? section.accountIDs : configuration.accountIDs }

  /// Reads its section of `footbridge.yaml`.
  public mutating func read(_ node: InputNode) throws(OptionError) {
    section = try OnsideSection(node)
    isEnabled = section.isEnabled
    merchant = section.merchant ?? merchant
    notifications = section.notifications ?? notifications
    world = section.world ?? world
  }

  /// Its limits.
  public static var limits: [String: WritableKeyPath<Self, Int>] {
    ["transactions": \.bounds.transactions, "orders": \.bounds.orders]
  }

  /// The initial states of a session at the store. The earlier purchases of a scenario must be possible.
  public var initialStates: InitialStates {
    var states = InitialStates()
    states.members = { place in
      switch place {
      case .scenario: ["account", "storefront", "settings", "purchases", "transactions"]
      case .newSession: ["account", "storefront", "onsideContract", "settings", "purchases", "transactions"]
      case .session: ["account", "storefront", "onsideContract"]
      }
    }
    states.read = { members, place throws(OptionError) in try beginning(members, of: place) }
    states.check = { beginning throws(OptionError) in
      try (beginning as? OnsideBeginning)?.check(with: configuration)
    }
    return states
  }

  private func beginning(
    _ members: [String: InputNode], of place: BeginningPlace
  ) throws(OptionError) -> OnsideBeginning {
    var beginning = OnsideBeginning()
    if let node = members["account"] {
      if node.isNull, place != .scenario {
        beginning.account = .signedOut
      } else {
        let id = try place == .scenario ? node.accountID(among: accountIDs) : node.text()
        beginning.account = .signedIn(id, place: node.place)
      }
    }
    if let node = members["storefront"] {
      if node.isNull { beginning.isStorefrontAway = true } else { beginning.country = try node.country() }
    }
    beginning.contract = try members["onsideContract"]?.choice(OnsideContract.self)
    if let node = members["settings"] { beginning.settings = try node.onsideSettings(withCalls: place != .scenario) }
    beginning.purchases =
      try members["purchases"]?.list { node throws(OptionError) in try node.seededPurchase() } ?? []
    beginning.transactions =
      try members["transactions"]?.list { node throws(OptionError) in try node.seededTransaction() } ?? []
    return beginning
  }

  /// Its routes of the control API.
  public var routes: [ControlRoute] {
    StoreRoutes.all + TransactionRoutes.all + PurchaseRoutes.all + PriceIncreaseRoutes.all + BackendRoutes.all
  }

  /// Reads the answer of a rule.
  public func readAnswer(_ answer: RuleAnswerNode, to action: RuleAction) throws(OptionError) -> Outcome.Answer? {
    if case .callback(let isQuestion) = action.kind { return try Self.answer(answer, toQuestion: isQuestion) }
    if action.kind == .backendRequest { return try Self.backendAnswer(answer) }
    guard let call = OnsideCall(action: action.name) else { return nil }
    if let error = answer.error {
      let name = try error.text()
      guard call.errorCases.contains(name) else {
        throw call.errorCases.isEmpty ? error.expected("left out: it has none") : error.expectedError(of: call)
      }
      if action.kind == .flow { return .failure(name) }
      let payload = BridgeErrorPayload(code: name, message: "\(call.rawValue) was made to fail.", recoverable: false)
      return .response(.error, data: nil, error: payload)
    }
    guard let result = answer.result else { return nil }
    guard action.kind == .call else { throw result.expected("left out: nothing waits for a result") }
    return .response(.success, data: try Self.data(of: call, result), error: nil)
  }

  /// The answer to a question of the host, in place of the page's answer; nil leaves the answer to the page.
  private static func answer(
    _ answer: RuleAnswerNode, toQuestion isQuestion: Bool
  ) throws(OptionError) -> Outcome.Answer? {
    if let error = answer.error { throw error.expected("left out: a callback cannot fail") }
    guard let result = answer.result else { return nil }
    guard isQuestion else { throw result.expected("left out: the host does not ask the page for one") }
    return .response(.success, data: ["result": .bool(try result.bool())], error: nil)
  }

  /// The answer to a backend's request: a status, or `{status, retryAfter}`.
  private static func backendAnswer(_ answer: RuleAnswerNode) throws(OptionError) -> Outcome.Answer? {
    if let result = answer.result { throw result.expected("left out: answers of the Merchant API are signed") }
    guard let error = answer.error else { return nil }
    let members = error.isMapping ? try error.section(["status", "retryAfter"]) : ["status": error]
    guard let node = members["status"] else { throw error.expected("a status, or {status: 429, retryAfter: 10}") }
    let status = try node.integer(in: 400...599)
    guard MerchantAPI.statuses.contains(status) else {
      throw node.expected(oneOf: MerchantAPI.statuses.map(String.init))
    }
    return .status(status, retryAfter: try members["retryAfter"]?.integer(in: 0...86_400))
  }

  /// A person chooses an account or a login method on the login sheet, and nothing on other sheets.
  public var sheetChoices: SheetChoices {
    var choices = SheetChoices()
    choices.read = { fields, kind, sheet throws(OptionError) in try choice(fields, on: kind, sheet) }
    return choices
  }

  private func choice(
    _ fields: InputNode, on kind: String, _ sheet: Sheet?
  ) throws(OptionError) -> [String: JSONValue] {
    guard kind == "login" else { return try fields.noSheetFields(of: kind) }
    let members = try fields.section(["account", "method"])
    if let sheet {
      try members["account"]?.check(among: sheet.content["accounts"])
      try members["method"]?.check(among: sheet.content["methods"])
    } else {
      _ = try members["account"]?.accountID(among: accountIDs)
    }
    var texts: [String: JSONValue] = [:]
    for (name, member) in members { texts[name] = .string(try member.text()) }
    return texts
  }

  /// The data of the response that makes the promise resolve to `result`.
  private static func data(of call: OnsideCall, _ result: InputNode) throws(OptionError) -> [String: JSONValue]? {
    guard let shape = OnsideShapes.result(of: call) else {
      guard result.isNull else { throw result.expected("null: the promise resolves with undefined") }
      return nil
    }
    let value = try shape.read(result)
    switch call {
    case .getCurrentStorefront: return ["storefront": value]
    case .getTransactions: return ["transactions": value]
    default: return value.objectValue
    }
  }
}
