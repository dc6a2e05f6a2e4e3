import Testing

@testable import Cluster
@testable import Sessions

@Suite struct ReplicaLeaseTests {
  private let second = 1_000_000_000

  private func held(from start: Int = 0) -> ReplicaLease {
    var lease = ReplicaLease(length: .seconds(10))
    #expect(lease.action(at: start) == .enter)
    lease.began(at: start)
    lease.succeeded(sentAt: start, at: start)
    return lease
  }

  @Test func `a lease is held for nine tenths of its length from when its renewal was sent`() {
    var lease = ReplicaLease(length: .seconds(10))
    lease.began(at: 5 * second)
    lease.succeeded(sentAt: 5 * second, at: 7 * second)
    #expect(lease.isHeld(at: 14 * second - 1))
    #expect(!lease.isHeld(at: 14 * second))
  }

  @Test func `a lease is renewed at a third of its length`() {
    var lease = held()
    let third = 10 * second / 3
    #expect(lease.action(at: third - 1) == .wait(until: third))
    #expect(lease.action(at: third) == .renew)
  }

  @Test func `a renewal without an answer is sent again`() {
    var lease = held()
    lease.began(at: 4 * second)
    #expect(lease.action(at: 4 * second + 1) == .wait(until: 4 * second + 10 * second / 3))
    #expect(lease.action(at: 8 * second) == .renew)
  }

  @Test func `a lease whose renewal has failed is uncertain, and is renewed soon`() {
    var lease = held()
    lease.failed(at: 4 * second)
    #expect(lease.state(at: 4 * second) == .uncertain)
    #expect(lease.action(at: 4 * second + second / 2) == .renew)
    lease.succeeded(sentAt: 5 * second, at: 5 * second)
    #expect(lease.state(at: 5 * second) == .held)
    #expect(lease.isHeld(at: 13 * second))
  }

  @Test func `a lease that was not renewed in time is given up once, and entered again`() {
    var lease = held()
    #expect(lease.action(at: 60 * second) == .giveUp)
    #expect(lease.state(at: 60 * second) == .none)
    #expect(lease.action(at: 60 * second) == .enter)
    lease.succeeded(sentAt: 61 * second, at: 61 * second)
    #expect(lease.isHeld(at: 62 * second))
  }

  @Test func `a lease is not held after its end, before any timer has fired`() {
    let lease = held()
    // The process was stopped for a minute. No timer has fired yet.
    #expect(!lease.isHeld(at: 60 * second))
  }

  @Test func `a lease that the database refuses is given up at once`() {
    var lease = held()
    lease.refused(at: second)
    #expect(!lease.isHeld(at: second))
    #expect(lease.action(at: second) == .giveUp)
  }

  @Test func `an answer after the end of its lease does not begin the lease`() {
    var lease = ReplicaLease(length: .seconds(10))
    lease.began(at: 0)
    lease.succeeded(sentAt: 0, at: 9 * second)
    #expect(!lease.isHeld(at: 9 * second))
    #expect(lease.action(at: 10 * second) == .enter)
  }
}
