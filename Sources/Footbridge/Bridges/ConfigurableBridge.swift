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

  /// Reads the answer of a rule about one of its actions or sheets.
  ///
  /// - Returns: the answer; nil when the rule leaves it to the host.
  /// - Throws: `OptionError` with the place of what the action cannot have.
  func readAnswer(_ answer: RuleAnswerNode, to action: RuleAction) throws(OptionError) -> Outcome.Answer?

  /// Its routes of the control API.
  var routes: [ControlRoute] { get }
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
  public var routes: [ControlRoute] { [] }
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
