import Testing

@testable import WebServer

@Suite struct HTTP2ResetAllowanceTests {
  private let start = ContinuousClock.now

  @Test func `a client may provoke a burst of resets`() {
    var allowance = HTTP2ResetAllowance(at: start)
    for _ in 0..<HTTP2ResetAllowance.burst { #expect(allowance.take(at: start) == true) }
    #expect(allowance.take(at: start) == false)
  }

  @Test func `each second adds some resets, up to a burst`() {
    var allowance = HTTP2ResetAllowance(at: start)
    for _ in 0..<HTTP2ResetAllowance.burst { _ = allowance.take(at: start) }
    let second = start + .seconds(1)
    for _ in 0..<HTTP2ResetAllowance.perSecond { #expect(allowance.take(at: second) == true) }
    #expect(allowance.take(at: second) == false)
    let day = start + .seconds(86_400)
    for _ in 0..<HTTP2ResetAllowance.burst { #expect(allowance.take(at: day) == true) }
    #expect(allowance.take(at: day) == false)
  }
}
