import BridgeCore
import OnsideKit
import Today

/// The answer of a rule, as `result`, `status` and `error` say it: which of them there can be depends on what the rule is about.
struct RuleAnswerNode {
  /// The answer; nil when the rule has none.
  let answer: Outcome.Answer?

  /// Reads the answer among the `members` of a rule's `then`. An account that is signed in must be one of `accounts`.
  init(
    _ members: [String: InputNode], of action: RuleAction, accounts: [String], in node: InputNode
  ) throws(OptionError) {
    let (result, status, error) = (members["result"], members["status"], members["error"])
    if result != nil, error != nil { throw node.expected("given a result or an error, not both") }
    switch action {
    case .gbg: answer = try Self.gbg(result, status, error, in: node)
    case _ where status != nil:
      throw (status ?? node).expected("left out: only answers of GBGBridge have one")
    case .onside(let call): answer = try Self.onside(call, result, error)
    case .today(let type): answer = try Self.today(type, result, error)
    case .sheet(let kind): answer = try Self.sheet(kind, result, error, accounts: accounts)
    }
  }

  // MARK: GBGBridge

  private static func gbg(
    _ result: InputNode?, _ status: InputNode?, _ error: InputNode?, in node: InputNode
  ) throws(OptionError) -> Outcome.Answer? {
    if result == nil, status == nil, error == nil { return nil }
    let payload = try error.map { node throws(OptionError) in try GBGAnswerNode.error(node) }
    let value = try status?.choice(BridgeResponseStatus.self) ?? (payload == nil ? .success : .error)
    if let status, (value == .error) != (payload != nil) {
      throw status.expected("error beside an error, and something else without one")
    }
    let data = try result.flatMap { node throws(OptionError) in node.isNull ? nil : try node.jsonMembers() }
    return .response(value, data: data, error: payload)
  }

  // MARK: Onside

  private static func onside(
    _ call: OnsideCall, _ result: InputNode?, _ error: InputNode?
  ) throws(OptionError) -> Outcome.Answer? {
    if let error {
      let name = try error.text()
      guard call.errorCases.contains(name) else {
        throw error.expected(
          call.errorCases.isEmpty ? "left out: it has none" : "one of: \(call.errorCases.joined(separator: ", "))")
      }
      if !RuleAction.onside(call).isCall { return .failure(name) }
      let payload = BridgeErrorPayload(code: name, message: "\(call.rawValue) was made to fail.", recoverable: false)
      return .response(.error, data: nil, error: payload)
    }
    guard let result else { return nil }
    guard RuleAction.onside(call).isCall else { throw result.expected("left out: nothing waits for one") }
    return .response(.success, data: try data(of: call, result), error: nil)
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

  // MARK: Today

  private static func today(
    _ type: TodayMessageType?, _ result: InputNode?, _ error: InputNode?
  ) throws(OptionError) -> Outcome.Answer? {
    if let error {
      switch type {
      case .refreshToken, nil: return .response(.error, data: nil, error: try rejection(error))
      case .track: throw error.expected("left out: track never rejects")
      case .headers: throw error.expected("left out: headers never rejects, it resolves with {}")
      case .establishSession:
        throw error.expected("left out: establishSession never rejects, it resolves with {ok: false}")
      }
    }
    guard let result else { return nil }
    // What is nil for the host is undefined for the page; no reply of the contract is null.
    return .response(.success, data: result.isNull ? [:] : ["value": try result.json()], error: nil)
  }

  private static let tokenErrors: [String: TokenError] = [
    "signedOut": .signedOut, "refused": .refused(.invalidGrant), "unreachable": .unreachable,
    "invalidResponse": .invalidResponse, "signing": .signing,
  ]

  private static func rejection(_ node: InputNode) throws(OptionError) -> BridgeErrorPayload {
    if node.isMapping {
      guard let message = try node.section(["message"])["message"] else { throw node.expected("given a message") }
      return BridgeErrorPayload(code: TodayBridge.rejection, message: try message.text(), recoverable: false)
    }
    guard let error = tokenErrors[try node.text()] else {
      throw node.expected("one of: \(tokenErrors.keys.sorted().joined(separator: ", ")); or {message: …}")
    }
    return BridgeErrorPayload(code: TodayBridge.rejection, message: error.description, recoverable: error.isRecoverable)
  }

  // MARK: Sheets

  private static func sheet(
    _ kind: String, _ result: InputNode?, _ error: InputNode?, accounts: [String]
  ) throws(OptionError) -> Outcome.Answer? {
    if let error { throw error.expected("left out: a person approves or cancels") }
    guard let result else { return nil }
    let members = try result.section(["approved", "fields"])
    guard let approved = try members["approved"]?.bool() else { throw result.expected("given approved: true or false") }
    var fields: [String: JSONValue] = [:]
    if kind == "capture" {
      if let node = members["fields"] { fields = try CaptureAnswerNode(node).fields }
      return .sheet(approved ? .approve(fields) : .cancel)
    }
    for (name, value) in try members["fields"]?.members() ?? [] {
      let isAccount = kind == "login" && name == "account"
      fields[name] = isAccount ? .string(try value.accountID(among: accounts)) : try value.json()
    }
    return .sheet(approved ? .approve(fields) : .cancel)
  }
}
