import BridgeCore
import BridgeRuntime
import BridgeServer
import Sessions

/// Changes to a session. All of them are read before any is made.
struct SessionChanges {
  private var name: String??
  private var platform: Platform?
  private var present: PresentationMode?
  private var device: InputNode?
  private var clock = ClockChange()
  private var scenario: String?
  private var rules: [Rule] = []
  private var beginnings: [String: any BridgeBeginning] = [:]
  private var from: InputNode?
  private var deviceOf: InputNode?
  /// The world of a new session. The inner nil means a world of its own, and the outer nil means the usual world.
  private var world: String??

  /// The members for the origin of a new session. They are mutually exclusive.
  private static let origins = ["from", "world", "deviceOf"]
  /// Reads a body. Settings, a clock, a scenario, rules, purchases and transactions are allowed for new sessions only.
  init(_ body: InputNode, isNew: Bool, _ bridges: BridgeTable) throws(OptionError) {
    let place: BeginningPlace = isNew ? .newSession : .session
    let known =
      ["name", "platform", "present"] + (isNew ? ["device", "clock", "scenario", "rules"] + Self.origins : [])
    let members = try body.section(known + bridges.beginningMembers(of: place))
    if let node = members["name"] { name = .some(try Self.name(node)) }
    platform = try members["platform"]?.choice(Platform.self)
    present = try members["present"]?.choice(PresentationMode.self)
    device = members["device"]
    if let device { _ = try DeviceNode.changed(Device(), by: device) }
    if let node = members["clock"] { clock = try ClockChange(node) }
    scenario = try members["scenario"]?.text()
    if let node = members["rules"] { rules = try RuleNode.rules(node, bridges) }
    beginnings = try bridges.readBeginnings(members, of: place)
    from = members["from"]
    deviceOf = members["deviceOf"]
    if let node = members["world"] { world = .some(try Self.worldName(node)) }
    let origins = Self.origins.filter { members[$0] != nil }
    if origins.count > 1 {
      throw OptionError("\(origins.joined(separator: " and ")) in the body are mutually exclusive. Use one of them.")
    }
  }

  /// The name of a new session; empty if it has none.
  var newName: String { (name ?? nil) ?? "" }

  /// Whether a new session begins with the usual scenario: the body names no scenario, and no other origin of the session.
  var beginsUsualScenario: Bool { scenario == nil && deviceOf == nil }

  /// The state of a new session before the changes; nil for an app that was just installed.
  @BridgeActor
  func start(in sessions: SessionRegistry) async throws -> SessionSnapshot? {
    if let from { return try await sessions.snapshot(from, name: newName) }
    if let world { return try await sessions.snapshot(joining: world) }
    guard let deviceOf else { return try await sessions.snapshotOfUsualWorld() }
    let id = try deviceOf.text()
    guard let session = try await sessions.session(id: id) else {
      throw OptionError("\(deviceOf.place) is \(id), and there is no such session.")
    }
    return sessions.snapshot(forNewDeviceOf: session)
  }

  /// Makes the changes.
  ///
  /// - Throws: `OptionError` if a change is impossible. If this is known in advance, no change is made.
  @BridgeActor
  func apply(to session: Session) throws(OptionError) {
    try session.check(beginnings)
    clock.apply(to: session)
    if let scenario { try session.begin(scenario: scenario) }
    for rule in rules where session.rules.add(rule) == nil {
      throw OptionError(session.rules.objection(toAdding: rule))
    }
    var profile = session.profile
    if let name { profile.name = name }
    if let platform { profile.platform = platform }
    if let present { profile.present = present }
    session.profile = profile
    if let device { session.change(try DeviceNode.changed(session.device, by: device)) }
    try session.begin(beginnings)
    // The session has its contracts from here on.
    try session.check(rules + (scenario.map { session.rules(ofScenario: $0) } ?? []))
  }

  private static func worldName(_ node: InputNode) throws(OptionError) -> String? {
    if node.isNull { return nil }
    let name = try node.text()
    guard WorldName.isPossible(name) else { throw node.expected("null, or \(WorldName.expectation)") }
    return name
  }

  private static func name(_ node: InputNode) throws(OptionError) -> String? {
    if node.isNull { return nil }
    let name = try node.text()
    guard name.utf8.count <= SessionName.limit else {
      throw node.expected("null, or a text of at most \(SessionName.limit) bytes")
    }
    return name
  }
}
