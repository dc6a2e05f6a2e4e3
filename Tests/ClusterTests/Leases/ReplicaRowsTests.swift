import BridgeRuntime
import Testing

@testable import Cluster
@testable import Sessions

/// What the rows of replicas and of their sessions say to other replicas.
@Suite(.enabled(if: PostgreSQLServer.isInstalled, "make setup installs PostgreSQL"))
struct ReplicaRowsTests {
  private let one = Replica(id: "one", address: "127.0.0.1:1")
  private let other = Replica(id: "other", address: "127.0.0.1:2")

  private func withTable(_ body: (StoreReplicaTable, TestStore) async throws -> Void) async throws {
    try await TestStore.withReplicas([one, other]) { table, _, place in try await body(table, place) }
  }

  @Test func `each claim has the database's time, later than the one before`() async throws {
    try await withTable { table, place in
      func time(_ claims: [SessionClaim]) throws -> Int {
        guard case .mine(let fence) = try #require(claims.first) else { return 0 }
        return fence.claimedAt
      }
      let first = try time(try await table.claim(["a"], for: one))
      // Microseconds, of a year after 2020.
      #expect((1_577_836_800_000_000..<4_000_000_000_000_000).contains(first))
      try await table.release(["a"], of: one)
      let second = try time(try await table.claim(["a"], for: other))
      #expect(second > first)
      try await place.run("UPDATE replica SET leaseEnd = 0 WHERE id = 'other'")
      #expect(try time(try await table.claim(["a"], for: one)) > second)
    }
  }

  @Test func `a replica says which marks it reads`() async throws {
    try await withTable { table, place in
      try await place.run("UPDATE replica SET markVersion = 4 WHERE id = 'other'")
      let former = Replica(id: "other", address: "127.0.0.1:2", markVersion: Replica.formerMarkVersion)
      let living = try #require(try await table.renew(one, lease: .seconds(600)))
      #expect(Set(living) == [one, former])
      #expect(one.markVersion == Replica.presentMarkVersion)
      _ = try await table.claim(["a"], for: former)
      #expect(try await table.claim(["a"], for: one) == [.others(former)])
    }
  }
}
