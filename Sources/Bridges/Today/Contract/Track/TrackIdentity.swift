public import BridgeCore

/// The base fields that are the same in all events (Today contract, "track").
public struct TrackIdentity: Sendable, Hashable {
  /// `sid`: the session's identifier.
  public var sessionID: String
  /// `did`: the device's identifier.
  public var deviceID: String
  /// `uid`: the user's identifier while someone is signed in; nil for an unknown user.
  public var userID: String?
  /// `client_plat`: the platform.
  public var platform: Platform
  /// `tz`: the time zone's IANA name, such as `Europe/Berlin`.
  public var timeZone: String
  /// `ctx`: further data from the host.
  public var context: [String: JSONValue]

  /// Creates an identity.
  ///
  /// - Parameters:
  ///   - sessionID: The session's identifier.
  ///   - deviceID: The device's identifier.
  ///   - userID: The user's identifier; nil for an unknown user.
  ///   - platform: The platform.
  ///   - timeZone: The time zone's IANA name.
  ///   - context: Further data.
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
