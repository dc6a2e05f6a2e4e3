import Testing

@testable import WebServer

@Suite struct OutgoingFramesTests {
  private func add(_ payload: [UInt8], _ kind: WebSocketMessage.Kind = .text, to frames: inout OutgoingFrames) {
    var spares = SpareBatches(headroom: frames.headroom)
    var spare = [UInt8](repeating: 0, count: 2000)
    spares.give(&spare)
    payload.withUnsafeBufferPointer { frames.append(kind, $0, from: &spares) }
  }

  private func frame(of payload: [UInt8], _ kind: WebSocketMessage.Kind = .text) throws -> [UInt8] {
    var frames = OutgoingFrames(headroom: 3)
    add(payload, kind, to: &frames)
    let batch = frames.takeBatch()
    return Array(try #require(batch).dropFirst(3))
  }

  @Test(
    arguments: [
      (0, [0x81, 0]), (1, [0x81, 1]), (125, [0x81, 125]), (126, [0x81, 126, 0, 126]),
      (65_535, [0x81, 126, 0xFF, 0xFF]),
      (65_536, [0x81, 127, 0, 0, 0, 0, 0, 1, 0, 0]),
    ] as [(Int, [UInt8])])
  func `a payload's length is written in the shortest form`(count: Int, header: [UInt8]) throws {
    let payload = [UInt8](repeating: 0x61, count: count)
    #expect(try frame(of: payload) == header + payload)
  }

  @Test func `binary messages have their own opcode`() throws {
    #expect(try frame(of: [1, 2], .binary) == [0x82, 2, 1, 2])
  }

  @Test func `small messages share a batch, in order`() throws {
    var frames = OutgoingFrames(headroom: 0)
    for byte in UInt8(1)...3 { add([byte], to: &frames) }
    #expect(frames.byteCount == 9)
    #expect(frames.takeBatch() == [0x81, 1, 1, 0x81, 1, 2, 0x81, 1, 3])
    #expect(frames.isEmpty)
    #expect(frames.byteCount == 0)
  }

  @Test func `a batch that is full is left alone`() {
    var frames = OutgoingFrames(headroom: 0)
    add([UInt8](repeating: 0, count: 70_000), .binary, to: &frames)
    add([1], to: &frames)
    #expect(frames.takeBatch()?.count == 70_010)
    #expect(frames.takeBatch() == [0x81, 1, 1])
    #expect(frames.takeBatch() == nil)
  }

  @Test func `each batch begins with headroom, however long the one before was`() {
    var frames = OutgoingFrames(headroom: 4)
    add([UInt8](repeating: 1, count: 1000), to: &frames)
    #expect(frames.takeBatch()?.count == 1008)
    add([2], to: &frames)
    #expect(frames.takeBatch() == [0, 0, 0, 0, 0x81, 1, 2])
  }
}
