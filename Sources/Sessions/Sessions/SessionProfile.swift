package import BridgeCore

/// What is set about one session besides the store's settings, where it differs from what the server's options say. It outlives launches.
package struct SessionProfile: Sendable, Hashable {
  /// What whoever drives the session calls it.
  package var name: String?
  /// The platform that pages are told.
  package var platform: Platform?
  /// The scenario that the session has begun.
  package var scenario: String?
  /// Who answers sheets.
  package var present: PresentationMode?
  /// What the ids of the session follow from, when the server has a seed.
  var stream: SessionStream?
  /// What the session's clock shows.
  var time = SessionTime.servers
  /// What is set about the bridges, by their names. It may hold secrets.
  private var bridges: [String: [String: JSONValue]] = [:]

  /// Nothing is set.
  init() {}

  /// What is set about a bridge.
  subscript(bridge: String) -> [String: JSONValue] {
    get { bridges[bridge] ?? [:] }
    set { bridges[bridge] = newValue.isEmpty ? nil : newValue }
  }

  /// Whether something is set here that was not in `new`. The stream is no setting: each launch takes the next one.
  func isLasting(since new: SessionProfile) -> Bool {
    var own = self
    own.stream = new.stream
    return own != new
  }
}

extension SessionProfile: Codable {
  private enum Key: String, CodingKey {
    case name, platform, scenario, present, stream, time, bridges
    // What bridges had before they had parts of their own.
    case onsideContract, isSignedInToToday, cookies

    /// Which member of which bridge's part this was; nil for what is there still.
    var former: (bridge: String, member: String)? {
      switch self {
      case .onsideContract: ("onside", "contract")
      case .isSignedInToToday: ("today", "signedIn")
      case .cookies: ("today", "cookies")
      case .name, .platform, .scenario, .present, .stream, .time, .bridges: nil
      }
    }
  }

  /// Reads a profile, one of an earlier version, too.
  package init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: Key.self)
    name = try members.decodeIfPresent(String.self, forKey: .name)
    platform = try members.decodeIfPresent(Platform.self, forKey: .platform)
    scenario = try members.decodeIfPresent(String.self, forKey: .scenario)
    present = try members.decodeIfPresent(PresentationMode.self, forKey: .present)
    stream = try members.decodeIfPresent(SessionStream.self, forKey: .stream)
    time = try members.decodeIfPresent(SessionTime.self, forKey: .time) ?? .servers
    bridges = try members.decodeIfPresent([String: [String: JSONValue]].self, forKey: .bridges) ?? [:]
    for key in members.allKeys {
      guard let (bridge, member) = key.former else { continue }
      self[bridge][member] = try members.decodeIfPresent(JSONValue.self, forKey: key)
    }
  }

  package func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: Key.self)
    try members.encodeIfPresent(name, forKey: .name)
    try members.encodeIfPresent(platform, forKey: .platform)
    try members.encodeIfPresent(scenario, forKey: .scenario)
    try members.encodeIfPresent(present, forKey: .present)
    try members.encodeIfPresent(stream, forKey: .stream)
    try members.encode(time, forKey: .time)
    if !bridges.isEmpty { try members.encode(bridges, forKey: .bridges) }
  }
}
