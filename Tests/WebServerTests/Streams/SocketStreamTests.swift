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

  /// A stream on a descriptor, watched by the loop.
  private func watchedStream(_ descriptor: Int32) throws -> (SocketStream, Recorder) {
    try EventLoop.start()
    let stream = SocketStream(descriptor: descriptor)
    let recorder = Recorder()
    stream.delegate = recorder
    #expect(stream.watch())
    return (stream, recorder)
  }

  @Test func `bytes beyond the socket's buffer are sent as the peer reads`() async throws {
    let (ours, theirs) = pair()
    let (stream, recorder) = try watchedStream(ours)
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
  }

  @Test(.timeLimit(.minutes(5))) func `a timer fires without other events`()
    async throws
  {
    let (ours, theirs) = pair()
    let (stream, recorder) = try watchedStream(ours)
    stream.setTimer(.milliseconds(20))
    for await event in recorder.events where event == "timer" { break }
    close(theirs)
  }

  @Test func `bytes that a peer sent before it closed are read when writing fails`() async throws {
    let (ours, theirs) = pair()
    ScriptedServer.Connection(descriptor: theirs).send("too big")
    close(theirs)
    let (stream, recorder) = try watchedStream(ours)
    stream.write([1, 2, 3])
    for await _ in recorder.events {}
    #expect(recorder.received == Array("too big".utf8))
  }

  @Test(.timeLimit(.minutes(5))) func `a timer fires at its last set time, and not after it was cancelled`()
    async throws
  {
    try EventLoop.start()
    let (fired, continuation) = AsyncStream.makeStream(of: String.self)
    final class Timed: RawDescriptor {
      var onTimer: () -> Void = {}
      override func timerFired() { onTimer() }
    }
    var ends: [Int32] = []
    var timed: [Timed] = []
    for name in ["put off", "taken back", "set once"] {
      let (ours, theirs) = pair()
      ends.append(theirs)
      let descriptor = Timed(descriptor: ours)
      descriptor.onTimer = { continuation.yield(name) }
      #expect(descriptor.watch())
      descriptor.setTimer(.milliseconds(10))
      timed.append(descriptor)
    }
    timed[0].setTimer(.milliseconds(60))
    timed[1].setTimer(nil)
    timed[2].setTimer(.milliseconds(30))
    var names: [String] = []
    for await name in fired {
      names.append(name)
      if name == "put off" { break }
    }
    #expect(names == ["set once", "put off"])
    for descriptor in timed { descriptor.closeSoon() }
    for end in ends { close(end) }
  }

  @Test func `a detached descriptor stays open, and its stream is closed`() async throws {
    let (ours, theirs) = pair()
    let (stream, recorder) = try watchedStream(ours)
    stream.write(Array("first".utf8))
    let descriptor = try #require(stream.detachDescriptor())
    for await _ in recorder.events {}
    #expect(write(descriptor, " second", 7) == 7)
    close(descriptor)
    #expect(ScriptedServer.Connection(descriptor: theirs).readBytes(12) == Array("first second".utf8))
    close(theirs)
  }
}
