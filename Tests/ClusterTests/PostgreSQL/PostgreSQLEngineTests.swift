import Foundation
import Logging
import Synchronization
import Testing

@testable import Cluster
@testable import Sessions

/// What is PostgreSQL's alone: connections that are lost, its schema, and secrets in it.
@Suite(.enabled(if: PostgreSQLServer.isInstalled, "make setup installs PostgreSQL"))
struct PostgreSQLEngineTests {
  private func withEngine(_ body: (PostgreSQLEngine, TestStore) async throws -> Void) async throws {
    try await TestStore.with(.postgreSQL) { place in
      let engine = try #require(try await place.engine() as? PostgreSQLEngine)
      defer { engine.close() }
      try await engine.write { try $0.run("CREATE TABLE note (id bigint)") }
      try await body(engine, place)
    }
  }

  private func notes(_ engine: PostgreSQLEngine) async throws -> [Int] {
    try await engine.read { try $0.rows("SELECT id FROM note ORDER BY id").map { try $0[0].integer() } }
  }

  /// Ends the connection from which it is called, after the statements so far.
  private static let end = "SELECT pg_terminate_backend(pg_backend_pid())"

  @Test func `a change during which the connection is lost is written once`() async throws {
    try await withEngine { engine, _ in
      let runs = Mutex(0)
      try await engine.write { transaction in
        try transaction.run("INSERT INTO note (id) VALUES (?)", .integer(1))
        let isFirst = runs.withLock { runs in
          runs += 1
          return runs == 1
        }
        if isFirst { try transaction.run(Self.end) }
      }
      #expect(runs.withLock { $0 } == 2)
      #expect(try await notes(engine) == [1])
    }
  }

  @Test func `a new connection knows whether the last transaction of the one before was committed`() async throws {
    try await withEngine { _, place in
      var mark = TransactionMark()
      let first = try await place.connection()
      _ = try mark.begin(first)
      try first.begin()
      try mark.advance(first)
      try first.commit()
      #expect(try await mark.begin(place.connection()))
      let second = try await place.connection()
      try second.begin()
      try mark.advance(second)
      try second.rollBack()
      #expect(try await !mark.begin(place.connection()))
    }
  }

  @Test func `the outcome of a lost transaction is known after later transactions`() async throws {
    try await withEngine { _, place in
      var mark = TransactionMark()
      let first = try await place.connection()
      try mark.begin(first)
      try first.begin()
      try mark.advance(first)
      try first.commit()
      let committed = mark.lose()
      let second = try await place.connection()
      try mark.begin(second)
      try second.begin()
      try mark.advance(second)
      try second.rollBack()
      let undone = mark.lose()
      let third = try await place.connection()
      try mark.begin(third)
      try third.begin()
      try mark.advance(third)
      try third.commit()
      #expect(mark.takeEnd(of: committed) == true)
      #expect(mark.takeEnd(of: undone) == false)
      #expect(mark.takeEnd(of: committed) == nil)
    }
  }

  @Test func `a transaction of a lost connection that the server begins late fails`() async throws {
    try await withEngine { engine, place in
      var mark = TransactionMark()
      let lost = try await place.connection()
      _ = try mark.begin(lost)
      var late = mark
      #expect(try await mark.begin(place.connection()))
      try lost.begin()
      try late.advance(lost)
      try lost.send("INSERT INTO note (id) VALUES (?)", [.integer(1)])
      let error = #expect(throws: PostgreSQLError.self) { try lost.commit() }
      #expect(error.map { TransactionMark.hasFailed($0) } == true)
      #expect(try await notes(engine) == [])
    }
  }

  @Test func `readers reconnect after the database has ended their connections`() async throws {
    try await withEngine { engine, place in
      for _ in 0..<4 {
        let found = try await notes(engine)
        #expect(found == [])
      }
      for _ in 0..<2 {
        // Each reader ends its own connection. The second try finds that and fails as well, which a statement of this kind cannot survive.
        await #expect(throws: PostgreSQLError.self) { try await engine.read { try $0.rows(Self.end).count } }
      }
      for _ in 0..<4 {
        let found = try await notes(engine)
        #expect(found == [])
      }
    }
  }

  @Test func `a failed change writes nothing, and the next one is written`() async throws {
    try await withEngine { engine, _ in
      struct Fault: Error {}
      await #expect(throws: StoreFailure.self) {
        try await engine.write { transaction in
          try transaction.run("INSERT INTO note (id) VALUES (?)", .integer(1))
          throw Fault()
        }
      }
      await #expect(throws: StoreFailure.self) {
        try await engine.write { transaction in
          try transaction.run("INSERT INTO note (id) VALUES (?)", .integer(2))
          try transaction.run("INSERT INTO nowhere (id) VALUES (?)", .integer(2))
        }
      }
      try await engine.write { try $0.run("INSERT INTO note (id) VALUES (?)", .integer(3)) }
      #expect(try await notes(engine) == [3])
    }
  }

  @Test func `statements beyond the socket's buffer are all run`() async throws {
    try await withEngine { engine, _ in
      let text = StoreValue.text(String(repeating: "x", count: 1000))
      try await engine.write { transaction in
        for number in 0..<3000 {
          try transaction.run("INSERT INTO note (id) SELECT ? WHERE length(?) = 1000", .integer(number), text)
        }
      }
      #expect(try await notes(engine).count == 3000)
    }
  }

  @Test func `servers that start at the same time make the schema once`() async throws {
    try await TestStore.with(.postgreSQL) { place in
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<4 { group.addTask { try await place.engine().close() } }
        try await group.waitForAll()
      }
      #expect(try await place.number("SELECT count(*) FROM schemaVersion") == 1)
    }
  }

  @Test func `a schema of a newer version is refused unless this version can use it`() async throws {
    try await TestStore.with(.postgreSQL) { place in
      try await place.engine().close()
      try await place.run("UPDATE schemaVersion SET version = \(StoreSchema.version + 1)")
      try await place.engine().close()
      try await place.run("UPDATE schemaVersion SET usableBy = version")
      let error = await #expect(throws: StateError.self) { try await place.engine() }
      #expect(error?.description.contains("A newer version of Footbridge has written it.") == true)
    }
  }

  @Test func `a schema from before the first version is refused with what to do`() async throws {
    try await TestStore.with(.postgreSQL) { place in
      try await place.engine().close()
      try await place.run("ALTER TABLE schemaVersion RENAME TO migration")
      let error = await #expect(throws: StateError.self) { try await place.engine() }
      #expect(error?.description.contains("was written by a version of Footbridge before 0.1.0") == true)
      #expect(error?.description.contains("Drop the schema (DROP SCHEMA test_") == true)
    }
  }

  @Test func `a server removes its writer row when it closes`() async throws {
    try await TestStore.with(.postgreSQL) { place in
      let engine = try await place.engine()
      try await engine.write { try $0.run("DELETE FROM session") }
      #expect(try await place.number("SELECT count(*) FROM writer") == 1)
      engine.close()
      #expect(try await place.number("SELECT count(*) FROM writer") == 0)
    }
  }

  @Test func `secrets are sealed, and every server with the key reads the first ones`() async throws {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
    defer { try? FileManager.default.removeItem(atPath: path) }
    try Data(repeating: 7, count: 32).write(to: URL(fileURLWithPath: path))
    chmod(path, 0o600)
    let place = try await TestStore.empty(.postgreSQL)
    let engine = try #require(try await place.engine() as? PostgreSQLEngine)
    defer { engine.close() }
    let secrets = PostgreSQLSecrets(engine, key: try StateKey(path: path))
    #expect(try secrets.read("a.key") == nil)
    #expect(try secrets.read("a.key", orCreate: Array("first".utf8)) == Data("first".utf8))
    #expect(try secrets.read("a.key", orCreate: Array("second".utf8)) == Data("first".utf8))
    try secrets.write(Data("third".utf8), to: "b.key")
    #expect(try secrets.read("b.key") == Data("third".utf8))
    #expect(try await place.number("SELECT count(*) FROM secret WHERE position('third'::bytea in content) > 0") == 0)
    // Nobody can pass one secret off as another.
    try await place.run(
      "UPDATE secret SET content = (SELECT content FROM secret WHERE name = 'b.key') WHERE name = 'a.key'")
    #expect(throws: StateError.self) { try secrets.read("a.key") }
    try Data(repeating: 8, count: 32).write(to: URL(fileURLWithPath: path))
    let others = PostgreSQLSecrets(engine, key: try StateKey(path: path))
    let error = #expect(throws: StateError.self) { try others.read("b.key") }
    #expect(error?.description.contains("sealed with another key") == true)
    let lock = try secrets.lock("authority")
    withExtendedLifetime(lock) {}
  }

  @Test func `the error about a missing state key says how to create one`() throws {
    let error = #expect(throws: StateError.self) { try StateKey(path: "/nowhere/state.key") }
    #expect(error?.description.contains("openssl rand -out /nowhere/state.key 32") == true)
  }

  @Test(arguments: [0o644, 0o604, 0o620, 0o602, 0o660] as [mode_t])
  func `a state key that other users can read or change is refused`(mode: mode_t) throws {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
    defer { try? FileManager.default.removeItem(atPath: path) }
    try Data(repeating: 7, count: 32).write(to: URL(fileURLWithPath: path))
    chmod(path, mode)
    let error = #expect(throws: StateError.self) { try StateKey(path: path) }
    #expect(error?.description.contains("chmod 600 \(path)") == true)
    chmod(path, 0o400)
    _ = try StateKey(path: path)
    chmod(path, 0o640)
    // A container gets a secret as root's, with a group that reads it.
    if getuid() == 0 {
      _ = try StateKey(path: path)
    } else {
      #expect(throws: StateError.self) { try StateKey(path: path) }
    }
  }
}
