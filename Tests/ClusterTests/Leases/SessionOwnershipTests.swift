import BridgeRuntime
import Logging
import Testing

@testable import Cluster
@testable import Sessions

@Suite(.timeLimit(.minutes(5))) @BridgeActor struct SessionOwnershipTests {
  /// The time of the test's replicas.
  @BridgeActor private final class Time {
    var now = 1
    func advance(by duration: Duration) { now += Int(duration / .nanoseconds(1)) }
  }

  private let table = MemoryReplicaTable()
  private let time = Time()
  private let key = String(repeating: "a", count: 64)
  private let other = String(repeating: "b", count: 64)

  /// A replica that has its lease. Only the test renews it.
  private func replica(_ address: String) async -> SessionOwnership {
    let time = time
    let ownership = SessionOwnership(
      table: table, lease: .seconds(10), random: BridgeRandom(),
      logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    ) { time.now }
    let listener = OwnershipListener(ownership)
    await withCheckedContinuation { continuation in
      listener.onLeaseBegan = { continuation.resume() }
      ownership.address = address
      ownership.tick()
    }
    return ownership
  }

  private func isMine(_ claim: SessionClaim) -> Bool { if case .mine = claim { true } else { false } }

  @Test func `a session belongs to the first replica that claims it`() async throws {
    let (one, two) = (await replica("one"), await replica("two"))
    #expect(isMine(try await one.claim(key)))
    #expect(one.owns(key))
    #expect(try await two.claim(key) == .others(#require(one.replica)))
    #expect(!two.owns(key))
    #expect(try await two.key(ofID: String(key.prefix(16))) == key)
  }

  @Test func `an owned session is not claimed again`() async throws {
    let one = await replica("one")
    _ = try await one.claim([key, other])
    _ = try await one.claim([other, key])
    #expect(table.claimCount == 2)
  }

  @Test func `a session whose owner has lost its lease is taken over with a higher fence`() async throws {
    let (one, two) = (await replica("one"), await replica("two"))
    _ = try await one.claim(key)
    let fence = try #require(one.fence(of: key))
    table.endLease(ofAddress: "one")
    #expect(isMine(try await two.claim(key)))
    #expect(try #require(two.fence(of: key)).number > fence.number)
    #expect(two.takeOverCount == 1)
  }

  @Test func `a take-over's duration is the time that a request waited for it`() async throws {
    let (one, two) = (await replica("one"), await replica("two"))
    let start = time.now
    _ = try await one.claim(key)
    _ = try await two.claim(key, since: start)
    #expect(two.takeOverDurations.sum == 0)
    table.endLease(ofAddress: "one")
    time.advance(by: .seconds(3))
    _ = try await two.claim(key, since: start)
    #expect(two.takeOverDurations.sum == 3_000_000_000)
    // What nobody else had is no take-over.
    _ = try await two.claim(other, since: start)
    #expect(two.takeOverDurations.counts.reduce(0, +) == 1)
  }

  @Test func `databaseTime advances from the last claim and never goes back`() async throws {
    let (one, two) = (await replica("one"), await replica("two"))
    table.advance(by: .seconds(5))
    _ = try await one.claim(key)
    #expect(one.databaseTime == 5_000_000)
    time.advance(by: .seconds(2))
    #expect(one.databaseTime == 7_000_000)
    // The database's clock was set back. What was given out before stays below.
    _ = try await one.claim(other)
    #expect(one.databaseTime == 7_000_000)
    table.endLease(ofAddress: "one")
    table.advance(by: .seconds(4))
    _ = try await two.claim(key)
    #expect(two.databaseTime == 9_000_000)
  }

  @Test func `timeLeft is the rest of the lease`() async throws {
    let one = await replica("one")
    #expect(one.timeLeft == .seconds(9))
    time.advance(by: .seconds(4))
    #expect(one.timeLeft == .seconds(5))
    time.advance(by: .seconds(60))
    #expect(one.timeLeft == .zero)
  }

  @Test func `a replica that was suspended longer than its lease owns nothing afterwards`() async throws {
    let one = await replica("one")
    var lost: [String] = []
    let listener = OwnershipListener(one)
    listener.onLoss = { lost += $0 }
    _ = try await one.claim(key)
    time.advance(by: .seconds(60))
    #expect(!one.owns(key))
    #expect(try await one.claim(key) == .leaseEnded)
    one.tick()
    #expect(lost == [key])
    #expect(one.fence(of: key) == nil)
    #expect(one.lossCount == 1)
  }

  @Test func `a lost session can be claimed, also if the database still has the lease`() async throws {
    let (one, two) = (await replica("one"), await replica("two"))
    _ = try await one.claim(key)
    let former = try #require(one.replica)
    #expect(try await two.claim(key) == .others(former))
    time.advance(by: .seconds(9))
    await withCheckedContinuation { continuation in
      table.onLeave = { if $0 == former { continuation.resume() } }
      one.tick()
    }
    table.onLeave = nil
    let third = await replica("three")
    #expect(isMine(try await third.claim(key)))
  }

  @Test func `a lost lease is entered again under another id`() async throws {
    let one = await replica("one")
    let former = one.replica
    time.advance(by: .seconds(60))
    one.tick()
    #expect(one.replica == nil)
    let listener = OwnershipListener(one)
    await withCheckedContinuation { continuation in
      listener.onLeaseBegan = { continuation.resume() }
      one.tick()
    }
    #expect(one.replica != nil)
    #expect(one.replica != former)
  }

  @Test func `losing one session leaves the others owned`() async throws {
    let one = await replica("one")
    var lost: [String] = []
    let listener = OwnershipListener(one)
    listener.onLoss = { lost += $0 }
    _ = try await one.claim([key, other])
    one.lost(key)
    #expect(lost == [key])
    #expect(!one.owns(key))
    #expect(one.owns(other))
  }

  @Test func `a replica that stops releases its sessions at once`() async throws {
    let (one, two) = (await replica("one"), await replica("two"))
    _ = try await one.claim(key)
    await one.stop()
    #expect(isMine(try await two.claim(key)))
  }

  @Test func `a claim fails if the database does not answer`() async throws {
    let one = await replica("one")
    table.cutOff("one")
    await #expect(throws: StoreUnavailable.self) { _ = try await one.claim(key) }
    #expect(!one.owns(key))
  }
}
