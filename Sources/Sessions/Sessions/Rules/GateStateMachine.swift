/// The gates of a session, and the calls that wait at them. A pure state machine.
///
/// A gate has a name and is closed. Opening it lets everything pass that waits there. If nothing waits yet, the next arrival passes, so a
/// test need not care which happens first. A rule may send a call to a gate long before the call arrives. Until then, or until the call is
/// given up, the gate expects it.
package struct GateStateMachine<Waiter> {
  /// A waiter at a gate.
  package struct Hold {
    /// The id of the waiter, unique in the session.
    package let id: String
    /// The gate's name.
    package let name: String
    package let waiter: Waiter
  }

  /// What to do with an arrival.
  enum ArrivalAction {
    /// It must wait.
    case wait
    /// It can pass, since the gate was opened in advance.
    case pass
  }

  /// The maximum number of arrivals that all gates together let pass in advance.
  static var openingLimit: Int { 1000 }

  /// All waiters, in order of arrival.
  private(set) var holds: [Hold] = []
  /// The number of arrivals that may pass each gate, for gates that were opened in advance.
  private(set) var openings: [String: Int] = [:]
  /// The names of the gates that expect an arrival, by the arrival's id.
  private var expected: [String: String] = [:]
  private var idCount = 0

  /// Expects an arrival at the gate `name`. Returns its id.
  mutating func expect(at name: String) -> String {
    idCount += 1
    let id = "gate-\(idCount)"
    expected[id] = name
    return id
  }

  /// Whether an arrival is expected at the gate `name`.
  func expects(at name: String) -> Bool { expected.values.contains(name) }

  /// Notes an arrival at the gate `name`.
  mutating func arrive(at name: String, id: String, _ waiter: Waiter) -> ArrivalAction {
    expected[id] = nil
    if openings[name] != nil {
      useOpening(of: name)
      return .pass
    }
    holds.append(Hold(id: id, name: name, waiter: waiter))
    return .wait
  }

  /// Opens a gate for all its waiters. If no gate is known by this name, opens one for the waiter with this id. Returns those that pass, in order
  /// of arrival.
  ///
  /// - Parameter isName: Whether a rule names the gate. Such a gate can have the name that is another's waiter's id.
  mutating func open(_ idOrName: String, isName: Bool = false) -> [Hold] {
    let isName = isName || expects(at: idOrName) || holds.contains { $0.name == idOrName }
    let opened = holds.filter { isName ? $0.name == idOrName : $0.id == idOrName }
    holds.removeAll { isName ? $0.name == idOrName : $0.id == idOrName }
    return opened
  }

  /// Lets the next arrival at the gate `name` pass. Returns false if ``openingLimit`` is reached.
  mutating func openForNext(_ name: String) -> Bool {
    guard openings.values.reduce(0, +) < Self.openingLimit else { return false }
    openings[name, default: 0] += 1
    return true
  }

  /// Restores the gates that were opened in advance on another server.
  mutating func restore(openings: [String: Int]) { self.openings = openings }

  /// Gives up an arrival that will not come, or a waiter. Returns the waiter, if there was one. A gate that was opened for it closes.
  mutating func giveUp(_ id: String) -> Waiter? {
    if let name = expected.removeValue(forKey: id) {
      let others = expected.values.count { $0 == name }
      if openings[name, default: 0] > others { useOpening(of: name) }
    }
    guard let index = holds.firstIndex(where: { $0.id == id }) else { return nil }
    return holds.remove(at: index).waiter
  }

  /// Removes all gates. Returns all waiters.
  mutating func removeAll() -> [Hold] {
    openings = [:]
    expected = [:]
    defer { holds = [] }
    return holds
  }

  private mutating func useOpening(of name: String) {
    let count = openings[name, default: 0]
    openings[name] = count > 1 ? count - 1 : nil
  }
}

/// The outcome of a request to open a gate.
package enum GateRelease: Sendable, Hashable {
  /// So many waiters continue; 0 if the next arrival passes.
  case opened(Int)
  /// There is no such gate or waiter.
  case unknown
  /// The gates were opened too often in advance.
  case tooMany
  /// The rules, gates and bridges of all sessions take too much.
  case full
}
