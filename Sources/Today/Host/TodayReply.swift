public import BridgeCore

/// The answer to a message from the page.
public enum TodayReply: Sendable, Hashable {
  /// The promise resolves with `undefined`.
  case undefined
  /// The promise resolves with this value. It may contain a bearer token: send it to the page only.
  case value(JSONValue)
  /// The promise rejects with an `Error` whose message is this error's description.
  case rejection(TokenError)
}

extension TodayReply: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The kind of answer, without its content.
  public var description: String {
    switch self {
    case .undefined: "undefined"
    case .value: "(value)"
    case .rejection(let error): "rejection: \(error)"
    }
  }

  /// As ``description``.
  public var debugDescription: String { description }
  /// No parts, so that nothing prints the content.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
