package import BridgeRuntime

/// A bridge that one session has besides those of all, or in place of one of them.
@BridgeActor
package struct OwnBridge {
  /// The bridge. It is switched on.
  let definition: any BridgeDefinition
  /// Creates the session's part at each launch.
  let make: BridgeSessionMaker
  /// Ends what the bridge has started for the session.
  let stop: () -> Void

  /// Creates a bridge for one session.
  package init(_ definition: any BridgeDefinition, _ make: @escaping BridgeSessionMaker, stop: @escaping () -> Void) {
    self.definition = definition
    self.make = make
    self.stop = stop
  }
}

/// Bridges of the session alone. Documents that are loaded from now on have them. They stay until the session is deleted or the server stops.
extension Session {
  /// Adds a bridge. It replaces one with its name: pages that are open keep the former one until they are loaded again.
  package func add(_ own: OwnBridge) {
    let name = own.definition.name
    ownBridges.removeValue(forKey: name)?.stop()
    ownBridges[name] = own
    take(own)
  }

  /// Goes on with the bridges of the launch before.
  func takeOver(_ bridges: [String: OwnBridge]) {
    ownBridges = bridges
    for (_, own) in bridges.sorted(by: { $0.key < $1.key }) { take(own) }
  }

  /// Ends what the session's own bridges have started.
  func stopOwnBridges() {
    for own in ownBridges.values { own.stop() }
    ownBridges = [:]
  }

  private func take(_ own: OwnBridge) {
    let table = bridgeTable.with(own.definition)
    guard let index = table.definitions.firstIndex(where: { $0.name == own.definition.name }) else { return }
    let part = makePart(own)
    let former = index < bridges.count ? bridges[index] : nil
    replaceBridges(bridges.prefix(index) + [part] + bridges.dropFirst(index + 1), table)
    journal.bridges = table
    lint.add(table)
    former?.end()
    part.launched()
  }
}
