import BridgeRuntime
import Testing

@testable import Sessions

@Suite(.timeLimit(.minutes(5))) @BridgeActor struct GatheredReadsTests {
  /// A store that answers when the test says so.
  @BridgeActor
  private final class SlowStore {
    struct Wrong: Error {}

    private(set) var reads: [Set<String>] = []
    private var waiting: [CheckedContinuation<Void, any Error>] = []

    /// Waits for the read with this number, from 1.
    func wait(for count: Int) async {
      while reads.count < count { await Task.yield() }
    }

    /// Ends the reads under way.
    func answer(_ result: Result<Void, any Error> = .success(())) {
      for continuation in waiting { continuation.resume(with: result) }
      waiting = []
    }

    /// Knows all sessions but "unknown".
    func read(_ keys: [String]) async throws -> [String: Result<StoredSession, any Error>] {
      try await withCheckedThrowingContinuation {
        waiting.append($0)
        reads.append(Set(keys))
      }
      let known = keys.filter { $0 != "unknown" }
      let damage = DecodingError.dataCorrupted(DecodingError.Context(codingPath: [], debugDescription: ""))
      return Dictionary(
        uniqueKeysWithValues: known.map { key in
          (key, key == "damaged" ? .failure(damage) : .success(StoredSession(record: SessionRecord([]), pages: [:])))
        })
    }
  }

  private let store = SlowStore()
  private let reads: GatheredReads

  init() { reads = GatheredReads { [store] in try await store.read($0) } }

  private func read(_ key: String) -> Task<Bool, any Error> { Task { try await reads.session(key) != nil } }

  /// Begins as many reads as the store does at once.
  private func occupied() async -> [Task<Bool, any Error>] {
    let tasks = [read("first"), read("second")]
    await store.wait(for: 2)
    return tasks
  }

  @Test func `sessions that are requested during the reads are read together`() async throws {
    let first = await occupied()
    let rest = ["a", "b", "a", "unknown"].map { read($0) }
    for _ in 0..<100 { await Task.yield() }
    store.answer()
    for task in first { #expect(try await task.value) }
    await store.wait(for: 3)
    store.answer()
    #expect(try await [rest[0].value, rest[1].value, rest[2].value, rest[3].value] == [true, true, true, false])
    #expect(store.reads == [["first"], ["second"], ["a", "b", "unknown"]])
  }

  @Test func `a damaged session fails alone`() async throws {
    let first = await occupied()
    let damaged = read("damaged")
    let whole = read("a")
    for _ in 0..<100 { await Task.yield() }
    store.answer()
    await store.wait(for: 3)
    store.answer()
    await #expect(throws: DecodingError.self) { try await damaged.value }
    #expect(try await whole.value)
    for task in first { #expect(try await task.value) }
  }

  @Test func `a read that fails fails for its sessions, and the next one is made`() async throws {
    let first = await occupied()
    let next = read("a")
    for _ in 0..<100 { await Task.yield() }
    store.answer(.failure(SlowStore.Wrong()))
    for task in first { await #expect(throws: SlowStore.Wrong.self) { try await task.value } }
    await store.wait(for: 3)
    store.answer()
    #expect(try await next.value)
  }

  @Test func `one read has no more sessions than a query takes`() async throws {
    let first = await occupied()
    let rest = (0..<(StoreQuery.mostKeys + 1)).map { read("\($0)") }
    for _ in 0..<1000 { await Task.yield() }
    store.answer()
    await store.wait(for: 4)
    store.answer()
    for task in first + rest { #expect(try await task.value) }
    #expect(store.reads.dropFirst(2).map(\.count).sorted() == [1, StoreQuery.mostKeys])
  }

  @Test func `a session that fails a read does not fail the others of its group`() async throws {
    let first = await occupied()
    let (bad, good) = (read("bad"), read("a"))
    for _ in 0..<100 { await Task.yield() }
    store.answer()
    await store.wait(for: 3)
    store.answer(.failure(SlowStore.Wrong()))
    await store.wait(for: 4)
    store.answer(store.reads[3] == ["bad"] ? .failure(SlowStore.Wrong()) : .success(()))
    await store.wait(for: 5)
    store.answer(store.reads[4] == ["bad"] ? .failure(SlowStore.Wrong()) : .success(()))
    await #expect(throws: SlowStore.Wrong.self) { try await bad.value }
    #expect(try await good.value)
    for task in first { #expect(try await task.value) }
  }

  @Test func `if the store cannot be reached, the group is not read again`() async throws {
    let first = await occupied()
    let rest = [read("a"), read("b")]
    for _ in 0..<100 { await Task.yield() }
    store.answer()
    await store.wait(for: 3)
    store.answer(.failure(StoreUnavailable(cause: SlowStore.Wrong())))
    for task in rest { await #expect(throws: StoreUnavailable.self) { try await task.value } }
    #expect(store.reads.count == 3)
    for task in first { #expect(try await task.value) }
  }
}
