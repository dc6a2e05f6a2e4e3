import Testing

@testable import Sessions

@Suite struct BandwidthTests {
  private let start = ContinuousClock.now

  @Test func `bytes arrive one after the other at the rate`() {
    var bandwidth = Bandwidth()
    let turns = (0..<4).map { _ in bandwidth.turn(of: 1_000_000, at: start, bytesPerSecond: 2000) }
    #expect(turns.map(\.count) == [100, 100, 100, 100])
    #expect(turns.map { start.duration(to: $0.end) } == [50, 100, 150, 200].map { .milliseconds($0) })
  }

  @Test func `a network that was idle owes nothing`() {
    var bandwidth = Bandwidth()
    _ = bandwidth.turn(of: 100, at: start, bytesPerSecond: 2000)
    let later = start.advanced(by: .seconds(60))
    #expect(later.duration(to: bandwidth.turn(of: 100, at: later, bytesPerSecond: 2000).end) == .milliseconds(50))
  }

  @Test func `few bytes need no whole turn, and the lowest rate sends one byte in a second`() {
    var bandwidth = Bandwidth()
    let few = bandwidth.turn(of: 20, at: start, bytesPerSecond: 2000)
    #expect(few.count == 20 && start.duration(to: few.end) == .milliseconds(10))
    let lowest = bandwidth.turn(of: 20, at: few.end, bytesPerSecond: 1)
    #expect(lowest.count == 1 && few.end.duration(to: lowest.end) == .seconds(1))
  }

  @Test func `a rate that changes is that of the next turn`() {
    var bandwidth = Bandwidth()
    let slow = bandwidth.turn(of: 1000, at: start, bytesPerSecond: 20)
    #expect(slow.count == 1 && start.duration(to: slow.end) == .milliseconds(50))
    let fast = bandwidth.turn(of: 1000, at: start, bytesPerSecond: 20_000)
    #expect(fast.count == 1000 && start.duration(to: fast.end) == .milliseconds(100))
  }
}
