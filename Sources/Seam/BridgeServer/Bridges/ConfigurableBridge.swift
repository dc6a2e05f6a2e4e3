public import Sessions

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

  /// Its limits, by their names in the `limits` section. Their values are counts. None by default.
  static var limits: [String: WritableKeyPath<Self, Int>] { get }

  /// What people can choose on its sheets. By default, answers can have any members.
  var sheetChoices: SheetChoices { get }

  /// Reads the answer of a rule for one of its actions or sheets.
  ///
  /// - Returns: The answer; nil if the rule leaves it to the host.
  /// - Throws: `OptionError` with the place of a part that the action cannot have.
  func readAnswer(_ answer: RuleAnswerNode, to action: RuleAction) throws(OptionError) -> Outcome.Answer?

  /// The states with which sessions can begin at the bridge. By default there are none.
  var initialStates: InitialStates { get }

  /// Its routes of the control API.
  var routes: [ControlRoute] { get }
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
  public static var limits: [String: WritableKeyPath<Self, Int>] { [:] }

  /// Answers with any members.
  public var sheetChoices: SheetChoices { SheetChoices() }

  /// None.
  public var initialStates: InitialStates { InitialStates() }

  /// None.
  public var routes: [ControlRoute] { [] }
}

/// The limits of a bridge.
extension ConfigurableBridge {
  /// The names of its limits.
  package var limitNames: [String] { Self.limits.keys.sorted() }

  /// Sets one of its limits.
  package mutating func setLimit(_ name: String, to number: Int) {
    if let limit = Self.limits[name] { self[keyPath: limit] = number }
  }
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
