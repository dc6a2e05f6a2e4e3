import Testing

@testable import WebServer

@Suite struct TunnelStateMachineTests {
  private typealias Action = TunnelStateMachine.Action
  private let full = TunnelStateMachine.highWater + 1
  private let few = TunnelStateMachine.lowWater - 1

  @Test func `bytes restart the timer of an idle tunnel`() {
    var tunnel = TunnelStateMachine()
    #expect(tunnel.received(from: .first, queued: 1) == [.awaitBytes])
    #expect(tunnel.sent(to: .second, queued: 0) == [.awaitBytes])
  }

  @Test func `a peer that sends faster than the other reads is paused`() {
    var tunnel = TunnelStateMachine()
    #expect(tunnel.received(from: .first, queued: full) == [.setReading(.first, false), .awaitBytes])
    #expect(tunnel.received(from: .first, queued: full + 1) == [.awaitBytes])
    #expect(tunnel.sent(to: .second, queued: TunnelStateMachine.lowWater) == [.awaitBytes])
    #expect(tunnel.sent(to: .second, queued: few) == [.setReading(.first, true), .awaitBytes])
    #expect(tunnel.sent(to: .second, queued: 0) == [.awaitBytes])
  }

  @Test func `a peer that has ended sending may still receive`() {
    var tunnel = TunnelStateMachine()
    #expect(tunnel.ended(.first) == [.finishWriting(.second)])
    #expect(tunnel.received(from: .second, queued: 5) == [.awaitBytes])
    #expect(tunnel.ended(.first) == [])
  }

  @Test func `both streams close when both peers have ended`() {
    var tunnel = TunnelStateMachine()
    _ = tunnel.ended(.second)
    #expect(tunnel.ended(.first) == [.finishWriting(.second), .close(.first), .close(.second)])
  }

  @Test func `a second peer that closes completely ends the tunnel`() {
    var tunnel = TunnelStateMachine(secondEndsAtOnce: true)
    #expect(tunnel.ended(.second) == [.close(.second)])
  }

  @Test func `queued bytes for a peer are sent after the other has closed`() {
    var tunnel = TunnelStateMachine()
    #expect(tunnel.closed(.second) == [.finishWriting(.first), .closeLater(.first)])
    // Its last bytes do not give it more time.
    #expect(tunnel.sent(to: .first, queued: 0) == [])
    #expect(!tunnel.isOver)
    #expect(tunnel.ended(.first) == [.close(.first)])
    #expect(tunnel.closed(.first) == [])
    #expect(tunnel.isOver)
  }

  @Test func `a peer whose reading was paused is not read again after its end`() {
    var tunnel = TunnelStateMachine()
    _ = tunnel.received(from: .first, queued: full)
    _ = tunnel.ended(.first)
    #expect(tunnel.sent(to: .second, queued: 0) == [.awaitBytes])
  }

  @Test func `an idle tunnel is closed at its timeout`() {
    var tunnel = TunnelStateMachine()
    #expect(tunnel.timedOut() == [.close(.first), .close(.second)])
    _ = tunnel.closed(.first)
    #expect(tunnel.timedOut() == [.close(.second)])
  }
}
