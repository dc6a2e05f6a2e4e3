/// The gates of a session and what waits at them. A pure state machine; what waits is whatever can be told to go on.
///
/// A gate has a name and is closed. Opening it lets through what waits there; when nothing does yet, it lets the next one through, so
/// that a test need not know which of the two came first. What was decided to wait may be long in coming: it is expected until it arrives,
/// or gives up.
package struct GateStateMachine<Waiter> {
  /// Something that waits.
  package struct Hold {
    /// Identifies it among all that wait.
    package let id: String
    /// The gate's name.
    package let name: String
    package let waiter: Waiter
  }

  /// What to do with whatever comes to a gate.
  enum ArrivalAction {
    /// It waits.
    case wait
    /// The gate was opened for it.
    case pass
  }

  /// How many may pass gates that were opened before anyone came.
  static var openingLimit: Int { 1000 }

  /// What waits, in the order in which it came.
  private(set) var holds: [Hold] = []
  private var openings: [String: Int] = [:]
  /// The names of the gates that others are on their way to, by their ids.
  private var expected: [String: String] = [:]
  private var idCount = 0

  /// Something is on its way to the gate `name`. Returns its id.
  mutating func expect(at name: String) -> String {
    idCount += 1
    let id = "gate-\(idCount)"
    expected[id] = name
    return id
  }

  /// Whether something is on its way to the gate `name`.
  func expects(at name: String) -> Bool { expected.values.contains(name) }

  /// Something has come to the gate `name`.
  mutating func arrive(at name: String, id: String, _ waiter: Waiter) -> ArrivalAction {
    expected[id] = nil
    if openings[name] != nil {
      useOpening(of: name)
      return .pass
    }
    holds.append(Hold(id: id, name: name, waiter: waiter))
    return .wait
  }

  /// Opens a gate by its name, or for the one that waits under an id. Returns who goes on, in the order in which they came.
  mutating func open(_ idOrName: String) -> [Hold] {
    let opened = holds.filter { $0.id == idOrName || $0.name == idOrName }
    holds.removeAll { $0.id == idOrName || $0.name == idOrName }
    return opened
  }

  /// Lets the next one that comes to the gate `name` through. False when too many may already.
  mutating func openForNext(_ name: String) -> Bool {
    guard openings.values.reduce(0, +) < Self.openingLimit else { return false }
    openings[name, default: 0] += 1
    return true
  }

  /// What has this id will not come, or waits no more; then it is returned. A gate that was opened for it is closed.
  mutating func giveUp(_ id: String) -> Waiter? {
    if let name = expected.removeValue(forKey: id) {
      let others = expected.values.count { $0 == name }
      if openings[name, default: 0] > others { useOpening(of: name) }
    }
    guard let index = holds.firstIndex(where: { $0.id == id }) else { return nil }
    return holds.remove(at: index).waiter
  }

  /// Nobody waits any more, and no gate is open. Returns those who waited.
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
