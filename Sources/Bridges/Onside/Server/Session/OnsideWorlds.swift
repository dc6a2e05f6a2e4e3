package import OnsideKit

/// The worlds of the running sessions, by name. A world is released with its last session; its values stay in the store.
@BridgeActor
package final class OnsideWorlds {
  private struct Entry {
    weak var world: OnsideWorld?
  }

  private let usualName: String?
  /// The world that sessions usually join. It is held, since the record of new sessions has only its values at the start of the server.
  private var usual: OnsideWorld?
  private var entries: [String: Entry] = [:]
  /// Counts the orders of all sessions.
  let orderTotal = OrderTotal()

  /// - Parameter name: The name of the world that sessions usually join; nil if each has its own, or if other servers share it.
  package init(usual name: String? = nil) {
    usualName = name
  }

  /// The world that a state names; nil for a world of its own. If no session of it is running, it starts with the values of the state.
  func world(of state: OnsideState) -> OnsideWorld? {
    guard let name = state.world?.name else { return nil }
    if let world = entries[name]?.world { return world }
    return make(name, of: state)
  }

  /// Forgets a world that another server owns from now on. It may have other values when it comes back.
  func forget(_ name: String) { entries[name] = nil }

  /// Creates a world with the values of a session that had its own so far.
  func make(_ name: String, of state: OnsideState) -> OnsideWorld {
    let world = OnsideWorld(name: name, of: state)
    if name == usualName { usual = world }
    entries = entries.filter { $0.value.world != nil }
    entries[name] = Entry(world: world)
    return world
  }
}
