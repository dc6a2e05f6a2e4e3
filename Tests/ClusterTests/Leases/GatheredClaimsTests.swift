import BridgeRuntime
import Synchronization
import Testing

@testable import Cluster
@testable import Sessions

@Suite(.timeLimit(.minutes(5))) @BridgeActor struct GatheredClaimsTests {
  /// A table that answers when the test says so.
  private final class SlowTable: ReplicaTable {
    private struct State {
      var claims: [[String]] = []
      var waiting: [CheckedContinuation<Void, any Error>] = []
    }

    struct Unreachable: Error {}

    private let state = Mutex(State())

    /// The keys of each claim, with the usual world if there is one.
    var claims: [[String]] { state.withLock { $0.claims } }

    /// Waits for the claim with this number, from 1.
    func wait(for count: Int) async {
      while claims.count < count { await Task.yield() }
    }

    /// Answers the claim under way.
    func answer(_ result: Result<Void, any Error> = .success(())) {
      let waiting = state.withLock { state in
        defer { state.waiting = [] }
        return state.waiting
      }
      for continuation in waiting { continuation.resume(with: result) }
    }

    func claim(_ keys: [String], usualWorld: String?, for replica: Replica) async throws -> [SessionClaim] {
      try await withCheckedThrowingContinuation { continuation in
        state.withLock {
          $0.waiting.append(continuation)
          $0.claims.append(keys + [usualWorld].compactMap(\.self))
        }
      }
      return keys.map { .mine(SessionFence(key: $0, replicaID: replica.id, number: 1)) }
    }

    func enter(_ replica: Replica, lease: Duration) async throws {}
    func renew(_ replica: Replica, lease: Duration) async throws -> [Replica]? { nil }
    func key(ofID id: String) async throws -> String? { nil }
    func release(_ keys: [String], of replica: Replica) async throws {}
    func leave(_ replica: Replica) async throws {}
    func close() {}
  }

  private let table = SlowTable()
  private let replica = Replica(id: "1", address: "one:80")
  private let claims: GatheredClaims

  init() { claims = GatheredClaims(table) }

  /// Asks for each key at the same time. Returns when all have asked.
  private func ask(
    _ keys: [String], usualWorld: String? = nil, for replica: Replica
  ) async -> [Task<SessionClaim?, any Error>] {
    var asked = 0
    let tasks = keys.map { key in
      Task {
        asked += 1
        return try await claims.claim([key], usualWorld: usualWorld, for: replica)[key]
      }
    }
    while asked < keys.count { await Task.yield() }
    return tasks
  }

  @Test func `sessions wanted during a claim are claimed together`() async throws {
    let first = await ask(["first"], for: replica)
    await table.wait(for: 1)
    let keys = (0..<50).map { "key \($0)" }
    let others = await ask(keys, for: replica)
    table.answer()
    await table.wait(for: 2)
    table.answer()
    for (key, task) in zip(["first"] + keys, first + others) {
      #expect(try await task.value == .mine(SessionFence(key: key, replicaID: "1", number: 1)))
    }
    #expect(table.claims.map { $0.sorted() } == [["first"], keys.sorted()])
  }

  @Test func `claims under different leases are sent separately`() async throws {
    let first = await ask(["first"], for: replica)
    await table.wait(for: 1)
    let former = await ask(["a"], for: replica)
    let present = await ask(["b"], for: Replica(id: "2", address: "one:80"))
    for count in 2...3 {
      table.answer()
      await table.wait(for: count)
    }
    table.answer()
    for task in first + former + present { _ = try await task.value }
    #expect(table.claims == [["first"], ["a"], ["b"]])
  }

  @Test func `each claim uses the usual world that it was made with`() async throws {
    let first = await ask(["first"], for: replica)
    await table.wait(for: 1)
    let before = await ask(["a"], usualWorld: "former", for: replica)
    let after = await ask(["b"], usualWorld: "new", for: replica)
    for count in 2...3 {
      table.answer()
      await table.wait(for: count)
    }
    table.answer()
    for task in first + before + after { _ = try await task.value }
    #expect(table.claims == [["first"], ["a", "former"], ["b", "new"]])
  }

  @Test func `a failed claim does not fail the next one`() async throws {
    let first = await ask(["first"], for: replica)
    await table.wait(for: 1)
    let next = await ask(["next"], for: replica)
    table.answer(.failure(SlowTable.Unreachable()))
    await table.wait(for: 2)
    table.answer()
    await #expect(throws: SlowTable.Unreachable.self) { _ = try await first[0].value }
    #expect(try await next[0].value == .mine(SessionFence(key: "next", replicaID: "1", number: 1)))
  }
}
