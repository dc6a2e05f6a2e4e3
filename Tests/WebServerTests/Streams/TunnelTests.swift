import BridgeRuntime
import Testing

@testable import WebServer

@Suite @BridgeActor struct TunnelTests {
  private let first = TimedStream()
  private let second = TimedStream()
  private let minute = Duration.seconds(60)

  /// Joins the two streams.
  private func tunnel(silence: Duration?) -> [any ByteStreamDelegate] {
    let (tunnel, client, server) = Tunnel.join(first, second)
    first.delegate = client
    second.delegate = server
    tunnel.endAfterSilence(of: silence)
    // A stream does not retain its delegate.
    return [client, server]
  }

  private func advance(by duration: Duration) {
    for stream in [first, second] { stream.advance(by: duration) }
  }

  @Test func `a tunnel ends when its second peer is silent for the timeout`() {
    let ends = tunnel(silence: minute)
    advance(by: minute - .milliseconds(1))
    #expect(!first.isClosed && !second.isClosed)
    advance(by: .milliseconds(1))
    #expect(first.isClosed && second.isClosed)
    withExtendedLifetime(ends) {}
  }

  @Test func `bytes of the second peer restart the timeout, and bytes of the first do not`() {
    let ends = tunnel(silence: minute)
    for _ in 0..<3 {
      advance(by: minute - .seconds(1))
      second.receive([1])
    }
    #expect(!second.isClosed)
    for _ in 0..<3 {
      advance(by: .seconds(20))
      first.receive([1])
    }
    #expect(first.isClosed && second.isClosed)
    withExtendedLifetime(ends) {}
  }

  @Test func `a second peer that is paused is not silent`() {
    let ends = tunnel(silence: minute)
    advance(by: minute - .seconds(1))
    first.take()
    advance(by: minute - .seconds(1))
    #expect(!second.isClosed)
    withExtendedLifetime(ends) {}
  }

  @Test func `a tunnel without a timeout stays open in any silence`() {
    let ends = tunnel(silence: nil)
    advance(by: .seconds(86_400))
    #expect(!first.isClosed && !second.isClosed)
    withExtendedLifetime(ends) {}
  }
}
