public import BridgeCore
public import BridgeRuntime

/// An event that a page has tracked, enriched by the host (Today contract, "track").
public struct TrackedEvent: Sendable, Hashable {
  /// The event's name, `ename` on the wire.
  public let name: String
  /// `eid`: the event's identifier.
  public let eventID: String
  /// When the host took the event.
  public let time: BridgeInstant
  /// Who tracked.
  public let identity: TrackIdentity
  /// What the page said: strings, numbers and booleans only.
  public let parameters: [String: JSONValue]

  /// About how many octets the event occupies.
  let byteCount: Int

  /// Enriches an event. Of `parameters` only the scalars are kept.
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
    self.eventID = eventID
    self.time = time
    self.identity = identity
    byteCount = scalars.reduce(name.utf8.count + 256) { count, parameter in
      count + parameter.key.utf8.count + (parameter.value.stringValue?.utf8.count ?? 0) + 32
    }
  }

  /// The parameters and the base fields side by side. The base fields are the host's: a parameter of the same name is left out. That they
  /// stand side by side, that `ts` is in milliseconds since 1970 and that `uid` is null for nobody is our choice; the contract leaves it
  /// open.
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
