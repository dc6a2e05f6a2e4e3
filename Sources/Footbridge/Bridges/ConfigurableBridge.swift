public import BridgeCore

/// What the configuration and the control API know of a bridge besides what sessions know.
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

  /// The names of its bounds in the `limits` section: numbers of things. None by default.
  var limits: [String] { get }

  /// Sets one of these bounds.
  mutating func setLimit(_ name: String, to number: Int)

  /// Reads what a person has chosen on one of its sheets. Any members by default.
  ///
  /// - Parameters:
  ///   - kind: The kind of the sheet.
  ///   - sheet: The sheet, if it is open; nil for the answer of a rule.
  /// - Throws: `OptionError` with the place of what the sheet does not offer.
  func readSheetFields(
    _ fields: InputNode, of kind: String, _ sheet: Sheet?
  ) throws(OptionError) -> [String: JSONValue]

  /// Reads the answer of a rule about one of its actions.
  ///
  /// - Returns: the answer; nil when the rule leaves it to the host.
  /// - Throws: `OptionError` with the place of what the action cannot have.
  func readAnswer(_ answer: RuleAnswerNode, to action: RuleAction) throws(OptionError) -> Outcome.Answer?

  /// The members that scenarios, or the bodies that make and change sessions, have about the bridge; none by default.
  func beginningMembers(of place: BeginningPlace) -> [String]

  /// Reads such members: at least one of them is there.
  ///
  /// - Throws: `OptionError` with the place of what is wrong.
  func readBeginning(_ members: [String: InputNode], of place: BeginningPlace) throws(OptionError)
    -> any BridgeBeginning

  /// Checks what a scenario begins with against the bridge as it is configured, before the server starts.
  ///
  /// - Throws: `OptionError` with the place of what can never be made.
  func check(_ beginning: any BridgeBeginning) throws(OptionError)

  /// Its routes of the control API.
  var routes: [ControlRoute] { get }
}

/// Where it is written what a session begins with.
public enum BeginningPlace: Sendable {
  /// A scenario of `footbridge.yaml`.
  case scenario
  /// The body of a request for a new session.
  case newSession
  /// The body of a request that changes a session.
  case session
}

extension ConfigurableBridge {
  /// Reads a section that can hold nothing.
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

  /// There is none.
  public mutating func setLimit(_ name: String, to number: Int) {}

  /// None.
  public func beginningMembers(of place: BeginningPlace) -> [String] { [] }

  /// Nothing to begin with.
  public func readBeginning(
    _ members: [String: InputNode], of place: BeginningPlace
  ) throws(OptionError) -> any BridgeBeginning { NoBeginning() }

  /// It can be made.
  public func check(_ beginning: any BridgeBeginning) throws(OptionError) {}

  /// None.
  public var routes: [ControlRoute] { [] }
}

private struct NoBeginning: BridgeBeginning {
  func begin(in bridge: any SessionBridge) {}
}

extension ConfigurableBridge {
  /// Its routes; those of a bridge that is switched off say so.
  var routesWhileEnabled: [ControlRoute] {
    if isEnabled { return routes }
    return routes.map { [name] route in
      ControlRoute(route.method, route.path, isReading: true) { _ in
        throw ControlProblem.notFound("The bridge \(name) is switched off: \(name).enabled is false.")
      }
    }
  }
}
