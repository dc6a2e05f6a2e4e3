package import BridgeCore

/// What becomes of a bridge's part of a session's profile, and of its other state.
public struct ProfilePolicy: Sendable {
  /// The names of the members that a reset keeps; none by default.
  public var membersAfterReset: Set<String> = []
  /// The names of the members with which another device of the same person begins; none by default.
  public var membersOfNewDevice: Set<String> = []
  /// The names of the members that no copy of the session has, since only this session uses them; none by default.
  public var ownMembers: Set<String> = []
  /// The names of the members that give access. An exported file has them only with its secrets. Members whose names the journal removes are
  /// always among them.
  public var secretMembers: Set<String> = []
  /// Returns the error code for a call with this action whose effect could not be stored. Used only for bridges whose messages report the
  /// session's state (`BridgeMessageTraits.tellsOfState`).
  public var unstoredErrorCode: @Sendable (_ action: String) -> String = { _ in "bridge.brokenRequest" }
  /// The state of a new session that is too large for the profile; nil, the default, for none.
  package var newState: (any BridgeState)?
  /// Returns what finds the session that a path below `/__footbridge/` names: a request for it belongs to that session, and not to the
  /// browser's. Nil for any other path.
  package var lookup: @Sendable (_ route: Substring) -> SessionLookup? = { _ in nil }

  /// The policy of a profile that a reset empties.
  public init() {}

  /// The part of the profile after a reset.
  func afterReset(_ profile: [String: JSONValue]) -> [String: JSONValue] {
    profile.filter { membersAfterReset.contains($0.key) }
  }

  /// The part of the profile of another device.
  func ofNewDevice(_ profile: [String: JSONValue]) -> [String: JSONValue] {
    profile.filter { membersOfNewDevice.contains($0.key) }
  }

  /// The part of the profile of a copy of the session.
  package func copied(_ profile: [String: JSONValue]) -> [String: JSONValue] {
    profile.filter { !ownMembers.contains($0.key) }
  }

  /// The part of the profile for an exported file without anything that gives access.
  package func withoutSecrets(_ profile: [String: JSONValue], _ marks: JournalMarks) -> [String: JSONValue] {
    marks.withoutSecrets(copied(profile).filter { !secretMembers.contains($0.key) })
  }
}
