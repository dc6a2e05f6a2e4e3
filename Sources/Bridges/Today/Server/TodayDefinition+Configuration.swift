import BridgeCore
public import BridgeServer
public import Sessions
import Today

extension TodayDefinition: ConfigurableBridge {
  /// Reads its section of `footbridge.yaml`.
  public mutating func read(_ section: InputNode) throws(OptionError) {
    configuration = try TodaySection(section).configuration
  }

  /// Whether someone is signed in to Today.
  public var initialStates: InitialStates {
    var states = InitialStates()
    states.members = { $0 == .scenario ? [] : ["today"] }
    states.read = { members, _ throws(OptionError) in
      TodayBeginning(isSignedIn: try members["today"]?.section(["signedIn"])["signedIn"]?.bool())
    }
    return states
  }

  /// Its routes of the control API.
  public var routes: [ControlRoute] { TodayRoutes.all }

  /// Reads the answer of a rule.
  public func readAnswer(_ answer: RuleAnswerNode, to action: RuleAction) throws(OptionError) -> Outcome.Answer? {
    if let error = answer.error {
      switch TodayMessageType(action: action.name) {
      case .refreshToken, nil: return .response(.error, data: nil, error: try Self.rejection(error))
      case .track: throw error.expected("left out: track never rejects")
      case .headers: throw error.expected("left out: headers never rejects, it resolves with {}")
      case .establishSession:
        throw error.expected("left out: establishSession never rejects, it resolves with {ok: false}")
      }
    }
    guard let result = answer.result else { return nil }
    // Nil in the host is `undefined` in the page. No reply of the contract is null.
    if result.isNull { return .response(.success, data: [:], error: nil) }
    let value = try Self.value(of: result, for: TodayMessageType(action: action.name))
    return .response(.success, data: ["value": value], error: nil)
  }

  /// Reads what the message resolves with (iOS reference, "Handle messages"). `today.message` can resolve with any value.
  private static func value(of result: InputNode, for type: TodayMessageType?) throws(OptionError) -> JSONValue {
    switch type {
    case .headers: try JSONShape.dictionary(.text).read(result)
    case .refreshToken: try JSONShape.object(["authorization": .text]).read(result)
    case .establishSession: try JSONShape.object(["ok": .flag]).read(result)
    case .track: throw result.expected("null: track resolves with undefined")
    case nil: try result.json()
    }
  }

  static let tokenErrors: [String: TokenError] = [
    "signedOut": .signedOut, "refused": .refused(.invalidGrant), "unreachable": .unreachable,
    "invalidResponse": .invalidResponse, "signing": .signing,
  ]

  private static func rejection(_ node: InputNode) throws(OptionError) -> BridgeErrorPayload {
    if node.isMapping {
      guard let message = try node.section(["message"])["message"] else { throw node.expected("given a message") }
      return BridgeErrorPayload(code: TodayBridge.rejection, message: try message.text(), recoverable: false)
    }
    guard let error = tokenErrors[try node.text()] else {
      let words = tokenErrors.keys.sorted()
      throw node.expected(public: "one of: \(words.joined(separator: ", ")); or {message: …}", among: words)
    }
    return BridgeErrorPayload(code: TodayBridge.rejection, message: error.description, recoverable: error.isRecoverable)
  }
}
