package import BridgeRuntime

/// The bridges of a server that has started.
@BridgeActor
package final class StartedBridges {
  /// Those that are switched on.
  package nonisolated let table: BridgeTable
  /// What they have of the server.
  package let server: BridgeServer
  private let makers: [BridgeSessionMaker]

  /// Starts the bridges of a table.
  ///
  /// - Throws: the error of one that cannot be as it is configured.
  package init(_ table: BridgeTable, _ server: BridgeServer) throws {
    self.table = table
    self.server = server
    makers = try table.definitions.map { try $0.start(server) }
  }

  /// Makes the bridges' parts of a session.
  func makeSession(_ context: (_ bridge: String) -> SessionContext) -> [any SessionBridge] {
    zip(table.definitions, makers).map { definition, make in make(context(definition.name)) }
  }
}
