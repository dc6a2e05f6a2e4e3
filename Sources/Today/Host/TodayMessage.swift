import BridgeCore

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
