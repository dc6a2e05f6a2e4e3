public import BridgeCore

/// A message from the page, as the iOS host reads it (Today contract, "Handle messages").
enum TodayMessage {
  /// `name` is nil when the event has no valid name.
  case track(name: String?, parameters: [String: JSONValue])
  case headers
  case refreshToken
  case establishSession(refresh: Bool)
  /// A malformed message, or one with an unknown type.
  case unknown

  /// Reads a message; nil for `undefined`.
  init(_ value: JSONValue?) {
    let value = value?.unmarked
    switch value?["type"]?.stringValue.flatMap(TodayMessageType.init) {
    case .track:
      let name = value?["ename"]?.stringValue
      self = .track(name: name?.isEmpty == false ? name : nil, parameters: Self.parameters(value?["parameters"]))
    case .headers: self = .headers
    case .refreshToken: self = .refreshToken
    case .establishSession: self = .establishSession(refresh: Self.bool(value?["refresh"]))
    case nil: self = .unknown
    }
  }

  private static func parameters(_ value: JSONValue?) -> [String: JSONValue] {
    (value?.unmarked.objectValue ?? [:]).mapValues(\.unmarked)
  }

  /// The result of `as? Bool ?? false`, for which the number 1 is true.
  private static func bool(_ value: JSONValue?) -> Bool {
    value?.boolValue ?? (value?.numberValue == 1)
  }
}

/// The types of messages (Today contract, "Handle messages").
public enum TodayMessageType: String, Sendable, CaseIterable {
  /// Tracks an event.
  case track
  /// Asks for headers.
  case headers
  /// Asks for a new token.
  case refreshToken
  /// Asks for the session's cookie.
  case establishSession
}

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

/// Values that a page can post but JSON cannot express arrive as marks: objects with the member `$footbridge`, which
/// names the type of their `value`.
extension JSONValue {
  private static let mark = "$footbridge"

  /// The value that native code would see in place of a mark: a scalar for `number`, an object for `object`, and null
  /// for `date` and for `reference` (to an earlier object). A value without a mark is returned as it is.
  ///
  /// NaN and the infinities become strings, since JSON has no such numbers. This is our choice.
  var unmarked: JSONValue {
    guard let kind = self[Self.mark] else { return self }
    switch (kind.stringValue, self["value"]) {
    case ("number", .string(let text)): return text == "-0" ? .number(-0.0) : .string(text)
    case ("object", .object(let members)): return .object(members)
    default: return .null
    }
  }
}
