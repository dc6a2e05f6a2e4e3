/// The gates of a session and what waits at them. A pure state machine, generic over what waits.
///
/// A gate has a name and is closed. To open it lets everything pass that waits there. If nothing waits yet, the next one passes, so that a
/// test need not know which comes first. A call that was decided to wait may take long to arrive: it is expected until it arrives or gives
/// up.
package struct GateStateMachine<Waiter> {
  /// Something that waits.
  package struct Hold {
    /// Its id among everything that waits.
    package let id: String
    /// The gate's name.
    package let name: String
    package let waiter: Waiter
  }

  /// What to do with something that arrives at a gate.
  enum ArrivalAction {
    /// It waits.
    case wait
    /// The gate was opened for it.
    case pass
  }

  /// The maximum number that may pass gates that were opened in advance.
  static var openingLimit: Int { 1000 }

  /// Everything that waits, in order of arrival.
  private(set) var holds: [Hold] = []
  /// How many may pass each gate that was opened in advance.
  private(set) var openings: [String: Int] = [:]
  /// The names of the gates that something is on its way to, by its id.
  private var expected: [String: String] = [:]
  private var idCount = 0

  /// Expects something at the gate `name`. Returns its id.
  mutating func expect(at name: String) -> String {
    idCount += 1
    let id = "gate-\(idCount)"
    expected[id] = name
    return id
  }

  /// Whether something is expected at the gate `name`.
  func expects(at name: String) -> Bool { expected.values.contains(name) }

  /// Something has arrived at the gate `name`.
  mutating func arrive(at name: String, id: String, _ waiter: Waiter) -> ArrivalAction {
    expected[id] = nil
    if openings[name] != nil {
      useOpening(of: name)
      return .pass
    }
    holds.append(Hold(id: id, name: name, waiter: waiter))
    return .wait
  }

  /// Opens a gate by its name, or for the one that waits under an id. Returns everything that passes, in order of arrival.
  mutating func open(_ idOrName: String) -> [Hold] {
    let opened = holds.filter { $0.id == idOrName || $0.name == idOrName }
    holds.removeAll { $0.id == idOrName || $0.name == idOrName }
    return opened
  }

  /// Lets the next arrival at the gate `name` pass. Returns false if too many may already pass.
  mutating func openForNext(_ name: String) -> Bool {
    guard openings.values.reduce(0, +) < Self.openingLimit else { return false }
    openings[name, default: 0] += 1
    return true
  }

  /// Continues with the gates that an earlier server has opened in advance.
  mutating func restore(openings: [String: Int]) { self.openings = openings }

  /// Gives up what has this id: it will not come, or no longer waits. Returns it if it was waiting. A gate that was opened for it closes.
  mutating func giveUp(_ id: String) -> Waiter? {
    if let name = expected.removeValue(forKey: id) {
      let others = expected.values.count { $0 == name }
      if openings[name, default: 0] > others { useOpening(of: name) }
    }
    guard let index = holds.firstIndex(where: { $0.id == id }) else { return nil }
    return holds.remove(at: index).waiter
  }

  /// Clears all gates. Returns everything that waited.
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
