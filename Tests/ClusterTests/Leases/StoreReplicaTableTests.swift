import BridgeRuntime
import Foundation
import OnsideKit
import Testing

@testable import Cluster
@testable import Sessions

/// Leases, claims and fences in a real PostgreSQL.
@Suite(.enabled(if: PostgreSQLServer.isInstalled, "make setup installs PostgreSQL"))
struct StoreReplicaTableTests {
  private let one = Replica(id: "one", address: "127.0.0.1:1")
  private let other = Replica(id: "other", address: "127.0.0.1:2")

  private func withTable(_ body: (StoreReplicaTable, PostgreSQLEngine, TestStore) async throws -> Void) async throws {
    try await TestStore.withReplicas([one, other], body)
  }

  private func endLease(of replica: Replica, _ place: TestStore) async throws {
    try await place.run("UPDATE replica SET leaseEnd = 0 WHERE id = '\(replica.id)'")
  }

  private func fence(_ key: String, _ replica: Replica, _ number: Int) -> SessionClaim {
    .mine(SessionFence(key: key, replicaID: replica.id, number: number))
  }

  @Test func `a session has one replica, and its fence grows with each take-over`() async throws {
    try await withTable { table, _, place in
      #expect(try await table.claim(["a", "b"], for: one) == [fence("a", one, 1), fence("b", one, 1)])
      #expect(try await table.claim(["a"], for: one) == [fence("a", one, 1)])
      #expect(try await table.claim(["c", "a"], for: other) == [fence("c", other, 1), .others(one)])
      try await endLease(of: one, place)
      #expect(try await table.claim(["a"], for: other) == [fence("a", other, 2)])
      #expect(try await table.claim(["a", "d"], for: one) == [.others(other), .leaseEnded])
      #expect(try await table.renew(one, lease: .seconds(600)) == nil)
      #expect(try await table.renew(other, lease: .seconds(600)) == [other])
    }
  }

  @Test func `a session that a replica releases can be claimed at once`() async throws {
    try await withTable { table, _, _ in
      _ = try await table.claim(["a", "b"], for: one)
      #expect(try await table.key(ofID: "a") == "a")
      try await table.release(["a", "b"], of: other)
      #expect(try await table.claim(["a"], for: other) == [.others(one)])
      try await table.release(["a"], of: one)
      #expect(try await table.claim(["a"], for: other) == [fence("a", other, 1)])
      try await table.leave(one)
      #expect(try await table.claim(["b"], for: other) == [fence("b", other, 1)])
      #expect(try await table.claim(["a"], for: one) == [.others(other)])
    }
  }

  @Test func `the replica that owns a world owns the world's stored sessions`() async throws {
    try await withTable { table, _, place in
      try await place.run("INSERT INTO session (key, onside, usedAt, world) VALUES ('a', '{}', '', 'home')")
      _ = try await table.claim([SessionFence.key(ofWorld: "home")], for: one)
      #expect(try await table.claim(["a"], for: other) == [.others(one)])
      #expect(try await table.claim(["a"], for: one) == [fence("a", one, 1)])
    }
  }

  @Test func `a session that is being claimed or was just released is not forgotten`() async throws {
    try await withTable { table, engine, place in
      let store = SessionStore(engine, states: [OnsideState.self], logger: engine.logger)
      for key in ["claimed", "left", "over"] {
        try await place.run(
          "INSERT INTO session (key, onside, usedAt, isLasting) VALUES ('\(key)', '{}', '2020-01-01 00:00:00.000', 0)")
      }
      _ = try await table.claim(["left"], for: other)
      try await table.leave(other)
      let claiming = try await place.connection()
      try claiming.begin()
      _ = try claiming.rows(
        "INSERT INTO sessionOwner (sessionKey, replicaID, fence) VALUES ('claimed', 'one', 1) RETURNING 1", [])
      let date = Date(timeIntervalSinceNow: -60)
      async let forgotten: Void = store.forget(endedBefore: date, unusedSince: date, except: [], by: one.id)
      // The one that forgets waits for the claim.
      while try await place.number("SELECT count(*) FROM pg_locks WHERE NOT granted") == 0 {}
      try claiming.commit()
      try await forgotten
      let left = try await place.rows("SELECT key FROM session ORDER BY key").map { try $0[0].text() }
      #expect(left == ["claimed", "left"])
      #expect(try await place.number("SELECT count(*) FROM sessionOwner") == 1)
    }
  }

  @Test func `a server whose session was taken over writes nothing`() async throws {
    try await withTable { table, engine, place in
      let store = SessionStore(engine, states: [OnsideState.self], logger: engine.logger)
      func change(_ fences: SessionFence...) -> SessionChange {
        SessionChange(
          key: "a", former: nil, record: SessionRecord([OnsideState(settings: OnsideSettings())]), fences: fences)
      }
      let old = SessionFence(key: "a", replicaID: one.id, number: 1)
      _ = try await table.claim(["a"], for: one)
      #expect(await store.save([change(old)]).isEmpty)
      try await place.run("UPDATE session SET usedAt = 'before'")
      try await endLease(of: one, place)
      _ = try await table.claim(["a"], for: other)
      #expect(await store.save([change(old)])[0]?.isFenced == true)
      await store.use("a", fence: old)
      #expect(try await place.number("SELECT count(*) FROM session WHERE usedAt = 'before'") == 1)
      await store.use("a", fence: SessionFence(key: "a", replicaID: other.id, number: 2))
      #expect(try await place.number("SELECT count(*) FROM session WHERE usedAt = 'before'") == 0)
    }
  }

  @Test func `a session that another server owns does not prevent others from being stored`() async throws {
    try await withTable { table, engine, place in
      let store = SessionStore(engine, states: [OnsideState.self], logger: engine.logger)
      _ = try await table.claim(["a", "b"], for: one)
      let changes = [("a", 7), ("b", 1)].map { key, number in
        SessionChange(
          key: key, former: nil, record: SessionRecord([OnsideState(settings: OnsideSettings())]),
          fences: [SessionFence(key: key, replicaID: one.id, number: number)])
      }
      let failures = await store.save(changes)
      #expect(failures.count == 1)
      #expect(failures[0]?.isFenced == true)
      #expect(try await place.number("SELECT count(*) FROM session") == 1)
    }
  }

  /// A database, or a network, that has gone without a word.
  @Test(.timeLimit(.minutes(5))) @BridgeActor
  func `a lease is renewed while one connection to the database is silent`() async throws {
    try await TestStore.with(.postgreSQL) { place in
      let engine = try #require(try await place.engine() as? PostgreSQLEngine)
      // Far longer than the silence is borne, so that other work of the machine cannot end it.
      let lease = Duration.seconds(90)
      let table = StoreReplicaTable(engine, lease: lease)
      let ownership = SessionOwnership(
        table: table, lease: lease, random: BridgeRandom(), logger: engine.logger)
      let listener = OwnershipListener(ownership)
      await withCheckedContinuation { continuation in
        listener.onLeaseBegan = { continuation.resume() }
        ownership.begin(at: "one")
      }
      let process = try await table.leases.perform { try $0.rows("SELECT pg_backend_pid()", [])[0][0].integer() }
      kill(pid_t(process), SIGSTOP)
      defer { kill(pid_t(process), SIGCONT) }
      let before = ownership.replica
      await withCheckedContinuation { continuation in
        listener.onRenewed = { continuation.resume() }
        listener.onLoss = { _ in continuation.resume() }
        ownership.renewNow()
      }
      listener.onRenewed = {}
      listener.onLoss = { _ in }
      #expect(ownership.replica == before)
      #expect(ownership.lossCount == 0)
      kill(pid_t(process), SIGCONT)
      await ownership.stop()
      engine.close()
    }
  }

  @Test func `a lease is renewed while a claim waits for a transaction`() async throws {
    try await withTable { table, _, place in
      _ = try await table.claim(["a"], for: one)
      let stopped = try await place.connection()
      try stopped.begin()
      _ = try stopped.rows("SELECT 1 FROM sessionOwner FOR SHARE", [])
      async let claim = table.claim(["a"], for: other)
      #expect(try await table.renew(other, lease: .seconds(600))?.count == 2)
      try stopped.commit()
      #expect(try await claim == [.others(one)])
    }
  }

  @Test
  func `a new session is claimed by the usual world's replica, a stored one by any`()
    async throws
  {
    try await withTable { table, _, place in
      try await place.run("INSERT INTO session (key, onside, usedAt) VALUES ('alone', '{}', '')")
      #expect(try await table.claim(["first"], usualWorld: "usual", for: one) == [fence("first", one, 1)])
      let claims = try await table.claim(["second", "alone"], usualWorld: "usual", for: other)
      #expect(claims == [.others(one), fence("alone", other, 1)])
      let world = SessionFence.key(ofWorld: "usual")
      #expect(try await table.claim([world], for: other) == [.others(one)])
    }
  }

  @Test func `a token that one server has accepted is refused by the others until it expires`() async throws {
    try await TestStore.with(.postgreSQL) { place in
      let stores = [try await place.open(), try await place.open()]
      defer { for store in stores { store.close() } }
      let now = BridgeInstant(millisecondsSinceEpoch: 1_000_000)
      let end = now.advanced(by: .seconds(30))
      #expect(try await stores[0].use(token: "a\0token", until: end, now: now))
      #expect(try await !stores[1].use(token: "a\0token", until: end, now: now))
      #expect(try await stores[1].use(token: "another", until: end, now: now))
      #expect(try await stores[1].use(token: "a\0token", until: end.advanced(by: .seconds(30)), now: end))
    }
  }
}
