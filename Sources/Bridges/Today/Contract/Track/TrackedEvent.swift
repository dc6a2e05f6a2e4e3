public import BridgeCore
public import BridgeRuntime

/// A tracked event with the host's base fields (Today contract, "track").
public struct TrackedEvent: Sendable, Hashable {
  /// The event's name, `ename` on the wire.
  public let name: String
  /// `eid`: the event's identifier.
  public let eventID: String
  /// When the host received the event.
  public let time: BridgeInstant
  /// The base fields that are the same in all events.
  public let identity: TrackIdentity
  /// The page's parameters: strings, numbers and booleans only.
  public let parameters: [String: JSONValue]
  /// The names of the page's other parameters, which are dropped, in alphabetical order: the first 100.
  public let droppedParameters: [String]

  /// The approximate size of the event, in bytes.
  let byteCount: Int

  /// Creates an event.
  ///
  /// - Parameters:
  ///   - name: The event's name.
  ///   - parameters: The page's parameters. Only scalars are kept.
  ///   - eventID: The event's identifier.
  ///   - time: When the host received the event.
  ///   - identity: The base fields that are the same in all events.
  public init(
    name: String,
    parameters: [String: JSONValue],
    eventID: String,
    time: BridgeInstant,
    identity: TrackIdentity
  ) {
    let scalars = parameters.filter { $0.value.isScalar }
    self.name = name
    self.parameters = scalars
    droppedParameters =
      scalars.count == parameters.count ? [] : Array(parameters.keys.filter { scalars[$0] == nil }.sorted().prefix(100))
    self.eventID = eventID
    self.time = time
    self.identity = identity
    byteCount = scalars.reduce(name.utf8.count + 256) { count, parameter in
      count + parameter.key.utf8.count + (parameter.value.stringValue?.utf8.count ?? 0) + 32
    }
  }

  /// The parameters and the base fields in one object. A base field replaces a parameter of the same name. The contract
  /// leaves the form open: one object, `ts` in milliseconds since 1970, and null as the `uid` of an unknown user are
  /// our choice.
  public var properties: [String: JSONValue] {
    var properties = parameters
    properties["eid"] = .string(eventID)
    properties["sid"] = .string(identity.sessionID)
    properties["ts"] = .number(time.millisecondsSinceEpoch)
    properties["tz"] = .string(identity.timeZone)
    properties["uid"] = identity.userID.map { .string($0) } ?? .null
    properties["did"] = .string(identity.deviceID)
    properties["client_plat"] = .string(identity.platform.rawValue)
    properties["ctx"] = .object(identity.context)
    return properties
  }
}

extension JSONValue {
  /// Whether this is a string, a number or a boolean.
  var isScalar: Bool {
    switch self {
    case .string, .number, .bool: true
    case .object, .array, .null: false
    }
  }
}
