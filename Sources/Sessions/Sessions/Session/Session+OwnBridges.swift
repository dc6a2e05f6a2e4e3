package import BridgeRuntime

/// A bridge that only one session has, in addition to the bridges of all sessions or in place of one of them.
@BridgeActor
package struct OwnBridge {
  /// The bridge. It is switched on.
  package let definition: any BridgeDefinition
  /// Creates the session's part of the bridge. Called at each launch.
  let make: BridgeSessionMaker
  /// Stops what the bridge has started for the session.
  package let stop: () -> Void

  /// Creates a bridge for one session.
  package init(_ definition: any BridgeDefinition, _ make: @escaping BridgeSessionMaker, stop: @escaping () -> Void) {
    self.definition = definition
    self.make = make
    self.stop = stop
  }
}

/// The bridges of a session that were stored: those that this server could read, and for each of the others the reason.
package typealias ReadBridges = (bridges: [OwnBridge], problems: [OptionError])

/// The bridges that only one session has.
@BridgeActor
final class OwnBridges {
  private var byName: [String: OwnBridge] = [:]

  /// All of them, sorted by name.
  var all: [OwnBridge] { byName.sorted { $0.key < $1.key }.map(\.value) }

  /// Adds a bridge. Stops the one that had its name before.
  func add(_ own: OwnBridge) {
    let name = own.definition.name
    byName.removeValue(forKey: name)?.stop()
    byName[name] = own
  }

  /// Stops and removes the bridges.
  func stop() {
    for own in byName.values { own.stop() }
    byName = [:]
  }
}

/// Bridges that only this session has. They stay until the session is deleted.
extension Session {
  /// Adds a bridge, in place of one with the same name. Open pages get it when they are loaded again. Its section must be stored already.
  package func add(_ own: OwnBridge) {
    ownBridges.add(own)
    take(own)?.received(.launched)
  }

  /// Whether only this session has the bridge with this name.
  package func hasOwnBridge(_ name: String) -> Bool { ownBridges.all.contains { $0.definition.name == name } }

  /// Whether the server has space for these sections in place of those that the session has.
  package func hasSpace(for sections: StoredBridges) -> Bool {
    sections.byteCount - bridgeBytes <= space.settings.room
  }

  /// The sections of the session's own bridges.
  package var storedBridges: StoredBridges {
    get { state.record.ownBridges }
    set {
      state.record.ownBridges = newValue
      bridgeBytes = newValue.byteCount
    }
  }

  /// Adds the session's own bridges at its launch: those of the former launch, or those that are stored.
  func launchOwnBridges(_ former: OwnBridges?, on server: ServerContext) {
    bridgeBytes = storedBridges.byteCount
    if let former {
      ownBridges = former
    } else if !storedBridges.isEmpty, let read = options.readBridges?(storedBridges, bridgeTable, server) {
      for own in read.bridges { ownBridges.add(own) }
      // Its section stays in the store: a server of another version may have written it.
      for problem in read.problems { pageLog.note("A stored bridge is left out: \(problem)") }
    }
    for own in ownBridges.all { take(own) }
  }

  @discardableResult
  private func take(_ own: OwnBridge) -> (any SessionBridge)? {
    let table = bridgeTable.with(own.definition)
    guard let index = table.definitions.firstIndex(where: { $0.name == own.definition.name }) else { return nil }
    let part = makePart(own)
    let former = index < bridges.count ? bridges[index] : nil
    replaceBridges(bridges.prefix(index) + [part] + bridges.dropFirst(index + 1), table)
    journal.marks = table.marks
    lint.apply(table.lintRules)
    former?.received(.ended)
    return part
  }
}
