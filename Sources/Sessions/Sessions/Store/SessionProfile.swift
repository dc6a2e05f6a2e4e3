package import BridgeCore
import BridgeRuntime

/// The settings of one session that differ from the server's options. They outlive launches. Settings of the simulated store are not here.
package struct SessionProfile: Sendable, Hashable {
  /// The name that a test has given the session.
  package var name: String?
  /// The platform that is reported to pages.
  package var platform: Platform?
  /// The scenario that the session has begun.
  package var scenario: String?
  /// Who answers sheets.
  package var present: PresentationMode?
  /// The phone around the app, if a program has changed it.
  package var device: Device?
  /// The source of the session's ids, if the server has a seed.
  var stream: SessionStream?
  /// The time of the session's clock.
  var time = SessionTime.servers
  /// The rules and gates, if servers share the store.
  var rules: StoredRules?
  /// The settings of the bridges, by their names. They may contain secrets.
  private var bridges: [String: [String: JSONValue]] = [:]
  /// The sealed part of a profile in the store: JSON, a text.
  var sealed: String?
  /// Members of a later version, which another server on the same store may have written. They are kept for it.
  var laterMembers: [String: JSONValue] = [:]

  /// Creates a profile without settings.
  package init() {}

  /// The settings of a bridge.
  package subscript(bridge: String) -> [String: JSONValue] {
    get { bridges[bridge] ?? [:] }
    set { bridges[bridge] = newValue.isEmpty ? nil : newValue }
  }

  /// Removes and returns the settings of all bridges but these.
  mutating func removeBridges(except names: Set<String>) -> [String: [String: JSONValue]] {
    let removed = bridges.filter { !names.contains($0.key) }
    for name in removed.keys { bridges[name] = nil }
    return removed
  }

  /// Whether the profile has a setting that `new` lacks. The stream does not count, since each launch has another one, nor do rules of a
  /// scenario.
  func isLasting(since new: SessionProfile) -> Bool {
    if rules?.areSetByTests == true { return true }
    var own = self
    own.stream = new.stream
    own.rules = new.rules
    return own != new
  }
}

extension SessionProfile: Codable {
  private enum Key: String, CodingKey {
    case name, platform, scenario, present, device, stream, time, rules, bridges, sealed
  }

  /// A member of any name.
  private struct AnyKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  package init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: Key.self)
    name = try members.decodeIfPresent(String.self, forKey: .name)
    platform = try members.decodeIfPresent(Platform.self, forKey: .platform)
    scenario = try members.decodeIfPresent(String.self, forKey: .scenario)
    present = try members.decodeIfPresent(PresentationMode.self, forKey: .present)
    device = try members.decodeIfPresent(Device.self, forKey: .device)
    stream = try members.decodeIfPresent(SessionStream.self, forKey: .stream)
    time = try members.decodeIfPresent(SessionTime.self, forKey: .time) ?? .servers
    rules = try members.decodeIfPresent(StoredRules.self, forKey: .rules)
    bridges = try members.decodeIfPresent([String: [String: JSONValue]].self, forKey: .bridges) ?? [:]
    sealed = try members.decodeIfPresent(String.self, forKey: .sealed)
    let all = try decoder.container(keyedBy: AnyKey.self)
    for key in all.allKeys where Key(stringValue: key.stringValue) == nil {
      laterMembers[key.stringValue] = try all.decode(JSONValue.self, forKey: key)
    }
  }

  package func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: Key.self)
    try members.encodeIfPresent(name, forKey: .name)
    try members.encodeIfPresent(platform, forKey: .platform)
    try members.encodeIfPresent(scenario, forKey: .scenario)
    try members.encodeIfPresent(present, forKey: .present)
    try members.encodeIfPresent(device, forKey: .device)
    try members.encodeIfPresent(stream, forKey: .stream)
    try members.encode(time, forKey: .time)
    try members.encodeIfPresent(rules, forKey: .rules)
    if !bridges.isEmpty { try members.encode(bridges, forKey: .bridges) }
    try members.encodeIfPresent(sealed, forKey: .sealed)
    if laterMembers.isEmpty { return }
    var all = encoder.container(keyedBy: AnyKey.self)
    for (name, value) in laterMembers { try all.encode(value, forKey: AnyKey(stringValue: name)) }
  }
}

/// Who answers sheets (`--present`).
public enum PresentationMode: String, Sendable, Codable, CaseIterable {
  /// The person in the page. The control API can answer as well.
  case page
  /// The control API only.
  case control
  /// Nobody: each sheet is approved at once.
  case auto
}
