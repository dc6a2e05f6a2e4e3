package import BridgeRuntime

/// The bridges of a server that has started.
@BridgeActor
package final class StartedBridges {
  /// The bridges that are switched on.
  package nonisolated let table: BridgeTable
  /// The part of the server that they use.
  package let server: BridgeServer
  private let makers: [BridgeSessionMaker]

  /// Starts the bridges of a table.
  ///
  /// - Throws: The error of a bridge whose configuration is not possible.
  package init(_ table: BridgeTable, _ server: BridgeServer) throws {
    self.table = table
    self.server = server
    makers = try table.definitions.map { try $0.start(server) }
  }

  /// Creates the bridges' parts of a session.
  func makeSession(_ context: (_ bridge: String) -> SessionContext) -> [any SessionBridge] {
    zip(table.definitions, makers).map { definition, make in make(context(definition.name)) }
  }
}
