public import Sessions

/// The states with which sessions can begin at a bridge, as scenarios and bodies of requests describe them.
public struct InitialStates: Sendable {
  /// Returns the names of the bridge's members in scenarios or bodies. None by default.
  public var members: @Sendable (_ place: BeginningPlace) -> [String] = { _ in [] }
  /// Reads these members. There is at least one of them. Throws `OptionError` with the place of what is wrong.
  public var read:
    @Sendable (_ members: [String: InputNode], _ place: BeginningPlace) throws(OptionError) -> any BridgeBeginning = {
      _, _ in NoBeginning()
    }
  /// Checks the initial state of a scenario against the configuration of the bridge, before the server starts. Throws `OptionError` with the
  /// place of what is never possible. By default, everything is possible.
  public var check: @Sendable (_ beginning: any BridgeBeginning) throws(OptionError) -> Void = { _ in }

  /// No states.
  public init() {}
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

private struct NoBeginning: BridgeBeginning {
  func begin(in bridge: any SessionBridge) {}
}

/// Reads the initial states of sessions, from the file and from bodies.
extension BridgeTable {
  private var configurable: [any ConfigurableBridge] {
    (definitions + definitionsOff).compactMap { $0 as? any ConfigurableBridge }
  }

  /// The members of bridges in scenarios or bodies.
  package func beginningMembers(of place: BeginningPlace) -> [String] {
    configurable.flatMap { $0.initialStates.members(place) }
  }

  /// Reads the members of bridges: their initial states, by the bridges' names.
  ///
  /// - Throws: `OptionError` with the place of what is wrong, or belongs to a bridge that is switched off.
  package func readBeginnings(
    _ members: [String: InputNode], of place: BeginningPlace
  ) throws(OptionError) -> [String: any BridgeBeginning] {
    var beginnings: [String: any BridgeBeginning] = [:]
    for bridge in configurable {
      let states = bridge.initialStates
      let names = states.members(place)
      let own = members.filter { names.contains($0.key) }
      guard let first = own.min(by: { $0.key < $1.key })?.value else { continue }
      guard bridge.isEnabled else {
        throw first.expected("left out: the bridge \(bridge.name) is switched off")
      }
      beginnings[bridge.name] = try states.read(own, place)
    }
    return beginnings
  }
}
