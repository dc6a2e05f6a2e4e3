import BridgeRuntime
import Logging

/// The bridges of a server that has started.
@BridgeActor
final class StartedBridges {
  /// Those that are switched on.
  nonisolated let table: BridgeTable
  /// What they have of the server.
  let server: BridgeServer
  private let makers: [BridgeSessionMaker]

  /// Starts the bridges that are switched on.
  ///
  /// - Throws: ``FootbridgeError/bridgeNameInvalid(_:)``, or the error of one that cannot be as it is configured.
  init(_ bridges: BridgeList, _ server: BridgeServer) throws {
    for name in bridges.all.map(\.name) where name.wholeMatch(of: /[a-zA-Z][a-zA-Z0-9]*/) == nil || name == "footbridge"
    {
      throw FootbridgeError.bridgeNameInvalid(name)
    }
    table = BridgeTable(bridges)
    self.server = server
    makers = try table.definitions.map { try $0.start(server) }
  }

  /// Starts the bridges of a server with these options.
  convenience init(
    _ options: FootbridgeOptions, directory: StateDirectory?, logger: Logger, clock: any BridgeClock,
    random: BridgeRandom, secrets: IssuedSecrets? = nil
  ) throws {
    try self.init(
      options.bridges,
      BridgeServer(
        siteOrigin: options.siteOrigin, limits: options.limits, directory: directory, logger: logger, clock: clock,
        random: random, secrets: secrets))
  }

  /// Makes the bridges' parts of a session.
  func makeSession(_ context: (_ bridge: String) -> SessionContext) -> [any SessionBridge] {
    zip(table.definitions, makers).map { definition, make in make(context(definition.name)) }
  }
}
