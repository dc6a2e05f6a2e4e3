public import BridgeCore

/// Who tracks: the base fields that stay the same from event to event.
public struct TrackIdentity: Sendable, Hashable {
  /// `sid`: the session.
  public var sessionID: String
  /// `did`: the device.
  public var deviceID: String
  /// `uid`: the user while one is signed in; nil when nobody is known.
  public var userID: String?
  /// `client_plat`.
  public var platform: Platform
  /// `tz`: the time zone's IANA name, such as `Europe/Berlin`.
  public var timeZone: String
  /// `ctx`: whatever the host wants to say besides.
  public var context: [String: JSONValue]

  /// Creates an identity.
  public init(
    sessionID: String,
    deviceID: String,
    userID: String? = nil,
    platform: Platform = .ios,
    timeZone: String = "Etc/UTC",
    context: [String: JSONValue] = [:]
  ) {
    self.sessionID = sessionID
    self.deviceID = deviceID
    self.userID = userID
    self.platform = platform
    self.timeZone = timeZone
    self.context = context
  }
}
