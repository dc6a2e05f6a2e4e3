public import Sessions
public import BridgeCore

/// A bridge with a section in `footbridge.yaml`, answers for rules, or routes of the control API.
///
///     extension Doorbell: ConfigurableBridge {
///       mutating func read(_ section: InputNode) throws(OptionError) {
///         let members = try section.section(["enabled", "sound"])
///         isEnabled = try members["enabled"]?.bool() ?? true
///         sound = try members["sound"]?.text() ?? sound
///       }
///     }
public protocol ConfigurableBridge: BridgeDefinition {
  /// Reads its section of `footbridge.yaml`.
  ///
  /// - Throws: `OptionError` with the place of what is wrong.
  mutating func read(_ section: InputNode) throws(OptionError)

  /// The names of its limits in the `limits` section. Their values are counts. None by default.
  var limits: [String] { get }

  /// Sets one of these limits.
  mutating func setLimit(_ name: String, to number: Int)

  /// Reads the person's choice on one of its sheets. By default, it accepts any members.
  ///
  /// - Parameters:
  ///   - fields: The members of the answer.
  ///   - kind: The kind of the sheet.
  ///   - sheet: The sheet, if it is open; nil for the answer of a rule.
  /// - Throws: `OptionError` with the place of a choice that the sheet does not offer.
  func readSheetFields(
    _ fields: InputNode, of kind: String, _ sheet: Sheet?
  ) throws(OptionError) -> [String: JSONValue]

  /// The maximum size in bytes of a request that answers one of its sheets. By default, the usual bound of the control API.
  var sheetAnswerByteLimit: Int { get }

  /// Reads the answer of a rule for one of its actions or sheets.
  ///
  /// - Returns: The answer; nil if the rule leaves it to the host.
  /// - Throws: `OptionError` with the place of a part that the action cannot have.
  func readAnswer(_ answer: RuleAnswerNode, to action: RuleAction) throws(OptionError) -> Outcome.Answer?

  /// The members of the bridge in scenarios and in bodies that create or change sessions; by default none.
  func beginningMembers(of place: BeginningPlace) -> [String]

  /// Reads these members. There is at least one of them.
  ///
  /// - Throws: `OptionError` with the place of what is wrong.
  func readBeginning(_ members: [String: InputNode], of place: BeginningPlace) throws(OptionError)
    -> any BridgeBeginning

  /// Checks the initial state of a scenario against the configuration of the bridge, before the server starts.
  ///
  /// - Throws: `OptionError` with the place of what is never possible.
  func check(_ beginning: any BridgeBeginning) throws(OptionError)

  /// Its routes of the control API.
  var routes: [ControlRoute] { get }
}

/// The place of an initial state.
public enum BeginningPlace: Sendable {
  /// A scenario of `footbridge.yaml`.
  case scenario
  /// The body of a request for a new session.
  case newSession
  /// The body of a request that changes a session.
  case session
}

extension ConfigurableBridge {
  /// Accepts an empty section only.
  public func read(_ section: InputNode) throws(OptionError) {
    _ = try section.section([])
  }

  /// Reads any JSON as the result, and `{code, message, recoverable}` or a code as the error.
  public func readAnswer(_ answer: RuleAnswerNode, to action: RuleAction) throws(OptionError) -> Outcome.Answer? {
    try answer.usualAnswer()
  }

  /// None.
  public var limits: [String] { [] }

  /// Any members.
  public func readSheetFields(
    _ fields: InputNode, of kind: String, _ sheet: Sheet?
  ) throws(OptionError) -> [String: JSONValue] { try fields.jsonMembers() }

  /// The usual bound.
  public var sheetAnswerByteLimit: Int { ControlRoute.usualBodyLimit }

  /// Does nothing: there are no limits.
  public mutating func setLimit(_ name: String, to number: Int) {}

  /// None.
  public func beginningMembers(of place: BeginningPlace) -> [String] { [] }

  /// Reads nothing.
  public func readBeginning(
    _ members: [String: InputNode], of place: BeginningPlace
  ) throws(OptionError) -> any BridgeBeginning { NoBeginning() }

  /// Everything is possible.
  public func check(_ beginning: any BridgeBeginning) throws(OptionError) {}

  /// None.
  public var routes: [ControlRoute] { [] }
}

private struct NoBeginning: BridgeBeginning {
  func begin(in bridge: any SessionBridge) {}
}

extension ConfigurableBridge {
  /// Its routes. If the bridge is switched off, they answer with an error that says so.
  package var routesWhileEnabled: [ControlRoute] {
    if isEnabled { return routes }
    return routes.map { [name] route in
      ControlRoute(route.method, route.path, isReading: true) { _ in
        throw ControlProblem.notFound(
          "The bridge \(name) is switched off: \(name).enabled is false in footbridge.yaml.")
      }
    }
  }
}

/// Reads the initial states of sessions, from the file and from bodies.
extension BridgeTable {
  private var configurable: [any ConfigurableBridge] {
    (definitions + definitionsOff).compactMap { $0 as? any ConfigurableBridge }
  }

  /// The members of bridges in scenarios or bodies.
  package func beginningMembers(of place: BeginningPlace) -> [String] {
    configurable.flatMap { $0.beginningMembers(of: place) }
  }

  /// Reads the members of bridges: their initial states, by the bridges' names.
  ///
  /// - Throws: `OptionError` with the place of what is wrong, or belongs to a bridge that is switched off.
  package func readBeginnings(
    _ members: [String: InputNode], of place: BeginningPlace
  ) throws(OptionError) -> [String: any BridgeBeginning] {
    var beginnings: [String: any BridgeBeginning] = [:]
    for bridge in configurable {
      let names = bridge.beginningMembers(of: place)
      let own = members.filter { names.contains($0.key) }
      guard let first = own.min(by: { $0.key < $1.key })?.value else { continue }
      guard bridge.isEnabled else {
        throw first.expected("left out: the bridge \(bridge.name) is switched off")
      }
      beginnings[bridge.name] = try bridge.readBeginning(own, of: place)
    }
    return beginnings
  }
}
