import Cluster
import Cryptography
import Essentials
import Logging
import Sessions

/// The open state of a server: a locked folder, or a database. It outlives the server.
struct ServerState {
  private enum Kind {
    case folder(StateDirectory, StateLock)
    case database(PostgreSQLEngine)
  }

  private let kind: Kind
  /// Keys and certificates.
  let storage: any StateStorage

  /// Opens what the options name; nil if nothing is kept.
  ///
  /// - Throws: `StateError`.
  init?(_ options: FootbridgeOptions, _ logger: Logger) throws {
    guard let text = options.state else { return nil }
    if PostgreSQLAddress.isOne(text) {
      let address = try PostgreSQLAddress(text)
      guard let path = options.stateKey else { throw StateError.keyMissing(address.description) }
      let key = try StateKey(path: path)
      let engine = try PostgreSQLEngine(address, logger: logger)
      kind = .database(engine)
      storage = PostgreSQLSecrets(engine, key: key)
    } else {
      let directory = try StateDirectory(path: text, logger: logger)
      kind = .folder(directory, try StateLock(directory))
      storage = directory
    }
  }

  /// The path of the folder; nil for a database.
  var path: String? { if case .folder(let directory, _) = kind { directory.path } else { nil } }

  /// The files of this server alone; nil for a database, which servers share.
  var folder: (any StateStorage)? { path == nil ? nil : storage }

  private static let dashboardPortName = "dashboard-port"

  /// The port of the dashboard in the last run; nil if there is none.
  var dashboardPort: Int? {
    guard let text = try? folder?.read(Self.dashboardPortName) else { return nil }
    return Int(String(decoding: text, as: UTF8.self)).flatMap { (1...65_535).contains($0) ? $0 : nil }
  }

  /// Remembers the port of the dashboard for the next run.
  ///
  /// - Throws: `StateError`.
  func remember(dashboardPort: Int) throws {
    try folder?.write(Data("\(dashboardPort)".utf8), to: Self.dashboardPortName)
  }

  /// Opens the store of sessions.
  func store(_ table: BridgeTable, _ logger: Logger) throws -> SessionStore {
    let seal = try StoreSeal(storage, clearBridges: table.clearBridges, logger: logger)
    return switch kind {
    case .folder(let directory, _): try SessionStore(directory, states: table.stateTypes, seal: seal, logger: logger)
    case .database(let engine): SessionStore(engine, states: table.stateTypes, seal: seal, logger: logger)
    }
  }

  /// The data that servers on one database share; nil for a folder, which only one server uses.
  ///
  /// - Parameter lease: The length of the leases.
  func replicas(lease: Duration) throws -> ReplicaSharing? {
    guard case .database(let engine) = kind else { return nil }
    let key = try storage.read(Self.replicaKeyName, orCreate: AuthenticationCode.makeKey())
    return ReplicaSharing(table: StoreReplicaTable(engine, lease: lease), key: Array(key))
  }

  /// The key that all servers on a database have.
  private static let replicaKeyName = "replicas.key"

  /// Logs where the state is.
  func introduce(project: String, _ logger: Logger) throws {
    switch kind {
    case .folder(let directory, _): try directory.introduce(project: project, logger)
    case .database(let engine): logger.info("The state is in \(engine.address).")
    }
  }
}
