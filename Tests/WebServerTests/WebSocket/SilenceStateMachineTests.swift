import Testing

@testable import WebServer

@Suite struct SilenceStateMachineTests {
  private var limits: HTTPServerLimits {
    var limits = HTTPServerLimits()
    limits.webSocketPingInterval = .seconds(10)
    limits.webSocketIdleTimeout = .seconds(24)
    return limits
  }

  @Test func `a silent peer is pinged at each interval, and given up when it stays silent`() {
    var silence = SilenceStateMachine(limits)
    #expect(SilenceStateMachine.tick(limits) == .seconds(2))
    let actions = (1...12).map { _ in silence.tick() }
    #expect(actions.indices.filter { actions[$0] == .ping } == [4, 9])
    #expect(actions.firstIndex(of: .giveUp) == 11)
  }

  @Test func `a byte from the peer restarts the timeout of silence`() {
    var silence = SilenceStateMachine(limits)
    for _ in 1...11 { _ = silence.tick() }
    silence.heard()
    let actions = (1...11).map { _ in silence.tick() }
    #expect(!actions.contains(.giveUp))
  }

  @Test func `a peer is pinged before it is given up, also with a short timeout`() {
    var limits = limits
    limits.webSocketIdleTimeout = .seconds(1)
    var silence = SilenceStateMachine(limits)
    #expect((1...6).map { _ in silence.tick() }.suffix(2) == [.ping, .giveUp])
  }

  @Test func `a peer that was given up has one more interval to take the close frame`() {
    var silence = SilenceStateMachine(limits)
    for _ in 1...12 { _ = silence.tick() }
    silence.closes()
    let actions = (1...5).map { _ in silence.tick() }
    #expect(actions.firstIndex(of: .giveUp) == 4)
  }
}
