import BridgeCore
import BridgeRuntime

/// Changes to a session. They are read completely before any of them is made.
struct SessionChanges {
  private var name: String??
  private var platform: Platform?
  private var present: PresentationMode?
  private var clock = ClockChange()
  private var scenario: String?
  private var rules: [Rule] = []
  private var beginnings: [String: any BridgeBeginning] = [:]
  private var from: InputNode?

  /// The maximum length of a session's name, in bytes.
  static let nameLimit = 200

  /// Reads a body. Settings, a clock, a scenario, rules, purchases and transactions are allowed for new sessions only.
  init(_ body: InputNode, isNew: Bool, _ bridges: BridgeTable) throws(OptionError) {
    let place: BeginningPlace = isNew ? .newSession : .session
    let known = ["name", "platform", "present"] + (isNew ? ["clock", "scenario", "rules", "from"] : [])
    let members = try body.section(known + bridges.beginningMembers(of: place))
    if let node = members["name"] { name = .some(try Self.name(node)) }
    platform = try members["platform"]?.choice(Platform.self)
    present = try members["present"]?.choice(PresentationMode.self)
    if let node = members["clock"] { clock = try ClockChange(node) }
    scenario = try members["scenario"]?.text()
    if let node = members["rules"] { rules = try RuleNode.rules(node, bridges) }
    beginnings = try bridges.readBeginnings(members, of: place)
    from = members["from"]
  }

  /// The name of a new session; empty if it has none.
  var newName: String { (name ?? nil) ?? "" }

  /// Whether a new session begins with its own scenario.
  var hasScenario: Bool { scenario != nil }

  /// What a new session begins with, before the changes; nil for an app that was just installed.
  @BridgeActor
  func start(in sessions: SessionRegistry) async throws -> SessionSnapshot? {
    guard let from else { return nil }
    return try await sessions.snapshot(from, name: newName)
  }

  /// Makes the changes.
  ///
  /// - Throws: `OptionError` if one cannot be made; before any change if that is known beforehand.
  @BridgeActor
  func apply(to session: Session) throws(OptionError) {
    try session.check(beginnings)
    clock.apply(to: session)
    if let scenario { try session.begin(scenario: scenario) }
    for rule in rules { _ = session.rules.add(rule) }
    var profile = session.profile
    if let name { profile.name = name }
    if let platform { profile.platform = platform }
    if let present { profile.present = present }
    session.profile = profile
    try session.begin(beginnings)
    // Now the session has its contracts.
    try session.check(rules + (scenario.map { session.rules(ofScenario: $0) } ?? []))
  }

  private static func name(_ node: InputNode) throws(OptionError) -> String? {
    if node.isNull { return nil }
    let name = try node.text()
    guard name.utf8.count <= nameLimit else { throw node.expected("null, or a text of at most \(nameLimit) bytes") }
    return name
  }
}
