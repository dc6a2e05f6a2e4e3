import Foundation
import GRDB
import Logging
import OnsideKit
import Testing

@testable import BridgeServer
@testable import Cluster
@testable import DeclaredServer
@testable import OnsideServer
@testable import Sessions
@testable import SiteServer
@testable import TodayServer

/// The databases that a store can be in.
enum StoreKind: String, CaseIterable, Sendable, CustomTestStringConvertible {
  case sqlite = "SQLite"
  case postgreSQL = "PostgreSQL"

  /// Those that are installed.
  static var installed: [StoreKind] { PostgreSQLServer.isInstalled ? allCases : [.sqlite] }

  var testDescription: String { rawValue }
}

/// An empty database for one test.
struct TestStore: Sendable {
  let kind: StoreKind
  private let url: String
  private let path: String
  private let schema: String
  private let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

  /// Runs `body` with a database of this kind.
  static func with(
    _ kind: StoreKind, isolation: isolated (any Actor)? = #isolation, _ body: (TestStore) async throws -> Void
  ) async throws {
    let store = try await empty(kind)
    defer { try? FileManager.default.removeItem(atPath: store.path) }
    try await body(store)
  }

  /// Runs `body` with a PostgreSQL, and with the table of replicas in which these have leases that run.
  static func withReplicas(
    _ replicas: [Replica], isolation: isolated (any Actor)? = #isolation,
    _ body: (StoreReplicaTable, PostgreSQLEngine, TestStore) async throws -> Void
  ) async throws {
    try await with(.postgreSQL) { place in
      let engine = try #require(try await place.engine() as? PostgreSQLEngine)
      let table = StoreReplicaTable(engine, lease: .seconds(600))
      defer {
        table.close()
        engine.close()
      }
      for replica in replicas { try await table.enter(replica, lease: .seconds(600)) }
      try await body(table, engine, place)
    }
  }

  /// A database of this kind. A folder of it stays.
  static func empty(_ kind: StoreKind) async throws -> TestStore {
    let name = UUID().uuidString
    return try await TestStore(
      kind: kind, url: kind == .postgreSQL ? PostgreSQLServer.shared().url : "",
      path: FileManager.default.temporaryDirectory.appendingPathComponent(name).path,
      schema: "test_" + name.lowercased().replacing("-", with: ""))
  }

  private func address() throws -> PostgreSQLAddress { try PostgreSQLAddress(url) }

  /// A connection of PostgreSQL, in which a test may take any time within a transaction.
  func connection() async throws -> PostgreSQLConnection {
    try await onThread {
      let connection = try PostgreSQLConnection(address(), schema: schema)
      try connection.transaction { try $0.run("SET idle_in_transaction_session_timeout = 0") }
      return connection
    }
  }

  func engine() async throws -> any StoreEngine {
    try await onThread {
      switch kind {
      case .sqlite: try SQLiteEngine(StateDirectory(path: path), logger: logger)
      case .postgreSQL: try PostgreSQLEngine(try address(), schema: schema, logger: logger)
      }
    }
  }

  /// Opens the store, as a start of the server does.
  func open() async throws -> SessionStore {
    try await SessionStore(engine(), states: [OnsideState.self], logger: logger)
  }

  /// Runs a statement beside the store.
  func run(_ sql: String) async throws { _ = try await rows(sql) }

  /// The number that a statement returns.
  func number(_ sql: String) async throws -> Int { try await rows(sql).first?.first?.integer() ?? 0 }

  func rows(_ sql: String) async throws -> [[StoreValue]] {
    try await onThread {
      switch kind {
      case .sqlite:
        // The store may be writing.
        var configuration = Configuration()
        configuration.busyMode = .timeout(300)
        return try DatabaseQueue(path: path + "/" + SQLiteEngine.fileName, configuration: configuration)
          .write { try SQLiteTransaction($0).rows(sql) }
      case .postgreSQL:
        return try PostgreSQLConnection(address(), schema: schema).transaction { try $0.rows(sql) }
      }
    }
  }

  /// Waits for a database on a thread of its own: the other tests need those that they share.
  private func onThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread { continuation.resume(with: Result { try body() }) }
    }
  }

  /// Makes the database refuse changes of rows.
  ///
  /// - Parameters:
  ///   - change: What it refuses: `INSERT ON page`.
  ///   - condition: The rows that it refuses; nil for all.
  func refuse(_ change: String, when condition: String? = nil) async throws {
    let when = condition.map { "WHEN (\($0))" } ?? ""
    switch kind {
    case .sqlite: try await run("CREATE TRIGGER fault BEFORE \(change) \(when) BEGIN SELECT RAISE(ABORT, 'fault'); END")
    case .postgreSQL:
      try await run(
        """
        CREATE OR REPLACE FUNCTION fault() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN RAISE EXCEPTION 'fault' USING ERRCODE = 'integrity_constraint_violation'; END $$
        """)
      try await run("CREATE TRIGGER fault BEFORE \(change) FOR EACH ROW \(when) EXECUTE FUNCTION fault()")
    }
  }

  /// Ends that.
  func accept(table: String) async throws {
    try await run("DROP TRIGGER fault\(kind == .sqlite ? "" : " ON \(table)")")
  }
}
