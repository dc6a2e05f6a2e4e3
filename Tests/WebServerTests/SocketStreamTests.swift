import BridgeRuntime
import Foundation
import Testing

@testable import WebServer

@Suite @BridgeActor struct SocketStreamTests {
  /// Notes what happens on a stream.
  private final class Recorder: ByteStreamDelegate {
    private(set) var received: [UInt8] = []
    let (events, continuation) = AsyncStream.makeStream(of: String.self)

    func streamReceived(_ bytes: UnsafeRawBufferPointer) { received += bytes }
    func streamReceivedEnd() { continuation.yield("end") }
    func streamSent() { continuation.yield("sent") }
    func streamTimerFired() { continuation.yield("timer") }
    func streamClosed() { continuation.finish() }
  }

  private func pair() -> (Int32, Int32) {
    var descriptors: [Int32] = [-1, -1]
    socketpair(AF_UNIX, streamSocketType, 0, &descriptors)
    makeNonBlocking(descriptors[0])
    return (descriptors[0], descriptors[1])
  }

  @Test func `what does not fit into the socket at once is sent as the peer reads`() async throws {
    let host = try VirtualHost(loop: EventLoop.start(), subprotocols: [], limits: WebServerLimits())
    let (ours, theirs) = pair()
    let stream = SocketStream(descriptor: ours)
    let recorder = Recorder()
    stream.delegate = recorder
    #expect(stream.watch(on: host))
    // Many times what a socket pair holds.
    let count = 16 << 20
    let reader = Task.detached {
      let received = ScriptedServer.Connection(descriptor: theirs).readBytes(count).count
      close(theirs)
      return received
    }
    stream.write([UInt8](repeating: 1, count: count))
    #expect(await reader.value == count)
    for await event in recorder.events where event == "end" { stream.close() }
    host.destroy()
  }

  @Test(.timeLimit(.minutes(1))) func `who waits for a timer goes on when it fires, though nothing else happens`()
    async throws
  {
    let host = try VirtualHost(loop: EventLoop.start(), subprotocols: [], limits: WebServerLimits())
    let (ours, theirs) = pair()
    let stream = SocketStream(descriptor: ours)
    let recorder = Recorder()
    stream.delegate = recorder
    #expect(stream.watch(on: host))
    stream.setTimer(.milliseconds(20))
    for await event in recorder.events where event == "timer" { break }
    host.destroy()
    close(theirs)
  }

  @Test func `what a peer sent before it went away is still read when writing fails`() async throws {
    let host = try VirtualHost(loop: EventLoop.start(), subprotocols: [], limits: WebServerLimits())
    let (ours, theirs) = pair()
    ScriptedServer.Connection(descriptor: theirs).send("too big")
    close(theirs)
    let stream = SocketStream(descriptor: ours)
    let recorder = Recorder()
    stream.delegate = recorder
    #expect(stream.watch(on: host))
    stream.write([1, 2, 3])
    for await _ in recorder.events {}
    #expect(recorder.received == Array("too big".utf8))
    host.destroy()
  }
}
