import BridgeCore
import BridgeRuntime
import BridgeServer
import Essentials
import Sessions

/// A session as a file. Another server can begin a session with it. With a transcript, it serves as a bug report.
///
///     {
///       "format": "footbridge-session", "version": 1, "exportedAt": "2026-01-31T12:00:00.000Z",
///       "session": { "name": …, "clock": {"frozen": true, "now": …}, "bridges": {"onside": {"profile": {…}, "state": {…}}} },
///       "transcript": [ … ]
///     }
enum SessionFile {
  /// The value of `format`.
  static let format = "footbridge-session"
  /// The version that this server writes and reads.
  static let version = 1
  /// The maximum size of a file that is read, in bytes.
  static let byteLimit = 32 << 20

  private static let members = ["format", "version", "exportedAt", "session", "transcript"]
  private static let sessionMembers = ["name", "platform", "present", "scenario", "device", "clock", "bridges"]

  // MARK: Writing

  /// The file of a session.
  ///
  /// - Parameter withSecrets: Whether the file contains secrets, such as the cookies of the jar. If not, all secrets that the server has
  ///   issued or received are left out everywhere.
  @BridgeActor
  static func json(of session: Session, withSecrets: Bool, withTranscript: Bool, at time: BridgeInstant) throws
    -> JSONValue
  {
    let snapshot = session.snapshot
    let profile = snapshot.profile
    let definitions = session.bridgeTable.definitions + session.bridgeTable.definitionsOff
    var bridges: [String: JSONValue] = [:]
    for bridge in definitions {
      var part: [String: JSONValue] = [:]
      let (policy, whole) = (bridge.profile, profile[bridge.name])
      let own = withSecrets ? policy.copied(whole) : policy.withoutSecrets(whole, bridge.marks)
      if !own.isEmpty { part["profile"] = .object(own) }
      if let new = policy.newState { part["state"] = try snapshot.exportedState(like: new) }
      if !part.isEmpty { bridges[bridge.name] = .object(part) }
    }
    let clock = snapshot.clock.map { (now, isFrozen) -> JSONValue in
      ["frozen": .bool(isFrozen), "now": .string(now.rfc3339)]
    }
    var members: [String: JSONValue] = [
      "name": profile.name.map { .string($0) } ?? .null,
      "clock": clock ?? .null,
      "bridges": .object(bridges),
    ]
    members["platform"] = profile.platform.map { .string($0.rawValue) }
    members["present"] = profile.present.map { .string($0.rawValue) }
    members["scenario"] = profile.scenario.map { .string($0) }
    if let device = profile.device?.json.objectValue {
      // The app is launched when a session begins with the file.
      members["device"] = .object(device.filter { !["state", "opening"].contains($0.key) })
    }
    var file: [String: JSONValue] = [
      "format": .string(format), "version": .number(Double(version)), "exportedAt": .string(time.rfc3339),
      "session": withSecrets ? .object(members) : session.journal.withoutSecrets(.object(members)),
    ]
    if withTranscript {
      file["transcript"] = .array(
        session.journal.entries(after: 0, limit: JournalBuffer.entryLimit).entries.map(\.json))
    }
    return .object(file)
  }

  // MARK: Reading

  /// Reads a file.
  ///
  /// - Throws: `OptionError` with the place of what is wrong.
  @BridgeActor
  static func snapshot(_ file: InputNode, _ bridges: BridgeTable) async throws -> SessionSnapshot {
    let content = try check(file)
    let members = try content.section(sessionMembers)
    var snapshot = SessionSnapshot(profile: SessionProfile(), states: bridges.newStates, clock: nil)
    if let node = members["name"], !node.isNull { snapshot.profile.name = try shortText(node) }
    snapshot.profile.platform = try members["platform"]?.choice(Platform.self)
    snapshot.profile.present = try members["present"]?.choice(PresentationMode.self)
    snapshot.profile.scenario = try members["scenario"].map(shortText)
    snapshot.profile.device = try members["device"].map { node throws(OptionError) in
      try DeviceNode.changed(Device(), by: node)
    }
    if let node = members["clock"], !node.isNull { snapshot.clock = try clock(node) }
    guard let list = members["bridges"] else { return snapshot }
    let definitions = bridges.definitions + bridges.definitionsOff
    for (name, node) in try list.members(known: definitions.map(\.name)) {
      guard let bridge = definitions.first(where: { $0.name == name }) else { continue }
      let new = bridge.profile.newState
      let part = try node.section(new == nil ? ["profile"] : ["profile", "state"])
      if let own = part["profile"] { snapshot.profile[name] = try own.jsonMembers() }
      if let node = part["state"], let new { try await snapshot.importState(like: new, node) }
    }
    return snapshot
  }

  /// Returns the session of a file of this format and version.
  private static func check(_ file: InputNode) throws(OptionError) -> InputNode {
    guard file.isMapping else { throw file.expected("a session that Footbridge has exported: a JSON object") }
    let first = Dictionary(try file.members().map { ($0.name, $0.value) }, uniquingKeysWith: { $1 })
    guard let name = first["format"], try name.text() == format else {
      throw file.expected("a session that Footbridge has exported: its format is \"\(format)\"")
    }
    guard let number = first["version"] else { throw file.expected("an object with a version") }
    let found = try number.integer(in: 1...Int(Int32.max))
    guard found == version else {
      throw OptionError(
        "\(number.place) is \(found). This server reads version \(version). Export the session with the same version of Footbridge."
      )
    }
    let rest = try file.section(members)
    _ = try rest["exportedAt"]?.instant()
    for entry in try rest["transcript"]?.elements() ?? [] where !entry.isMapping { throw entry.expected("an object") }
    guard let session = rest["session"] else { throw file.expected("an object with a session") }
    return session
  }

  private static func clock(_ node: InputNode) throws(OptionError) -> (now: BridgeInstant, isFrozen: Bool) {
    let members = try node.section(["frozen", "now"])
    guard let frozen = members["frozen"], let now = members["now"] else {
      throw node.expected("null, or an object with frozen and now")
    }
    return (try now.instant(), try frozen.bool())
  }

  private static func shortText(_ node: InputNode) throws(OptionError) -> String {
    let text = try node.text()
    guard text.utf8.count <= SessionName.limit else {
      throw node.expected("a text of at most \(SessionName.limit) bytes")
    }
    return text
  }
}

extension SessionSnapshot {
  /// A bridge's state as JSON; nil if the snapshot has none.
  fileprivate func exportedState<State: BridgeState>(like new: State) throws -> JSONValue? {
    guard let state = states.lazy.compactMap({ $0 as? State }).first else { return nil }
    return try state.exported()
  }

  /// Replaces a bridge's state by one of a file.
  @BridgeActor
  fileprivate mutating func importState<State: BridgeState>(like new: State, _ node: InputNode) async throws {
    let json = try node.json()
    let state: State
    do {
      // A file may be large. Other sessions need not wait for it.
      state = try await Task.detached { try State.imported(Data(json.jsonText.utf8)) }.value
    } catch let error as DecodingError {
      throw OptionError(error.sentence { node.place(of: $0) })
    }
    if let (member, expectation) = state.impossibility {
      throw OptionError("\(node.place(of: member)) must be \(expectation).")
    }
    guard let index = states.firstIndex(where: { $0 is State }) else { return }
    states[index] = state.carried
  }
}

/// Errors of Foundation's coders as sentences for people.
extension DecodingError {
  /// The error as a sentence, with its place.
  ///
  /// - Parameter place: Returns the whole place of a member: `purchases[3].price`.
  func sentence(_ place: (String) -> String) -> String {
    switch self {
    case .keyNotFound(let key, let context):
      "\(place(Self.path(context.codingPath))) must have the member \(key.stringValue)."
    case .typeMismatch(let type, let context), .valueNotFound(let type, let context):
      "\(place(Self.path(context.codingPath))) must be \(Self.words(for: type))."
    case .dataCorrupted(let context):
      "\(place(Self.path(context.codingPath))) has a value that is not possible: \(Self.cut(context.debugDescription))"
    @unknown default: "\(place("")) cannot be read."
    }
  }

  private static func path(_ keys: [any CodingKey]) -> String {
    keys.reduce("") { path, key in
      if let index = key.intValue { return "\(path)[\(index)]" }
      return path.isEmpty ? key.stringValue : "\(path).\(key.stringValue)"
    }
  }

  private static func words(for type: any Any.Type) -> String {
    switch type {
    case is String.Type: "a text"
    case is Bool.Type: "true or false"
    case is Double.Type, is Int.Type: "a number"
    case is [String: any Any].Type: "an object"
    default: "\(type)".hasPrefix("Array") || "\(type)".hasPrefix("Shared") ? "a list" : "a value of another type"
    }
  }

  /// The coder repeats the value, which may be long.
  private static func cut(_ text: String) -> String {
    text.utf8.count > 200 ? "\(text.prefix(200))…" : text
  }
}
