import BridgeCore

/// A message of the page, read as the iOS host reads it (Today contract, "Handle messages").
enum TodayMessage {
  /// An event without a name has nil: the contract asks for one.
  case track(name: String?, parameters: [String: JSONValue])
  case headers
  case refreshToken
  case establishSession(refresh: Bool)
  /// Malformed, or of a type that this host does not know.
  case unknown

  /// Reads what the page posted; nil for `undefined`.
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

  /// What `as? Bool ?? false` makes of a value: Foundation takes the number 1 for true.
  private static func bool(_ value: JSONValue?) -> Bool {
    value?.boolValue ?? (value?.numberValue == 1)
  }
}
