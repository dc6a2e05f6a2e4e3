public import BridgeCore

/// The answer to a message of the page.
public enum TodayReply: Sendable, Hashable {
  /// The promise resolves with `undefined`.
  case undefined
  /// The promise resolves with this. It may hold a bearer: it goes to the page and nowhere else.
  case value(JSONValue)
  /// The promise rejects with an `Error` of this text.
  case rejection(TokenError)
}

extension TodayReply: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The kind of answer; not what is in it.
  public var description: String {
    switch self {
    case .undefined: "undefined"
    case .value: "(value)"
    case .rejection(let error): "rejection: \(error)"
    }
  }

  /// As ``description``.
  public var debugDescription: String { description }
  /// No parts.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
