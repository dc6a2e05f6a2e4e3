import Testing

@testable import Cluster
@testable import Sessions

/// A replica that leaves a real PostgreSQL.
@Suite(.enabled(if: PostgreSQLServer.isInstalled, "make setup installs PostgreSQL"))
struct LeavingReplicaTests {
  @Test(.timeLimit(.minutes(5))) func `a replica that leaves during a lost connection tries again`() async throws {
    try await TestStore.with(.postgreSQL) { place in
      let engine = try #require(try await place.engine() as? PostgreSQLEngine)
      let table = StoreReplicaTable(engine, lease: .seconds(600))
      defer {
        table.close()
        engine.close()
      }
      let (one, other) = (Replica(id: "one", address: "127.0.0.1:1"), Replica(id: "other", address: "127.0.0.1:2"))
      for replica in [one, other] { try await table.enter(replica, lease: .seconds(600)) }
      _ = try await table.claim(["a"], for: one)
      let another = try await place.connection()
      try another.begin()
      _ = try another.rows("SELECT 1 FROM replica WHERE id = 'one' FOR UPDATE", [])
      async let left: Void = table.leave(one)
      let waiting = "FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE 'DELETE FROM replica%'"
      var found: [Int] = []
      // The first attempt ends with its connection, the second one when the lock does.
      while found.count < 2, !Task.isCancelled {
        for process in try await place.rows("SELECT pid \(waiting)").map({ try $0[0].integer() })
        where !found.contains(process) {
          found.append(process)
          if found.count == 1 { try await place.run("SELECT pg_terminate_backend(\(process))") }
        }
      }
      try another.commit()
      try await left
      #expect(try await table.claim(["a"], for: other).map { if case .mine = $0 { true } else { false } } == [true])
    }
  }
}
