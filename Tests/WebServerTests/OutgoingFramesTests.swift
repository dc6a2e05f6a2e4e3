import Testing

@testable import WebServer

@Suite struct OutgoingFramesTests {
  private func frame(of payload: [UInt8], _ kind: WebSocketMessage.Kind = .text) throws -> [UInt8] {
    var frames = OutgoingFrames(headroom: 3)
    frames.append(kind) { $0 += payload }
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
    for byte in UInt8(1)...3 { frames.append(.text) { $0.append(byte) } }
    #expect(frames.byteCount == 9)
    #expect(frames.takeBatch() == [0x81, 1, 1, 0x81, 1, 2, 0x81, 1, 3])
    #expect(frames.isEmpty)
    #expect(frames.byteCount == 0)
  }

  @Test func `a batch that is full is left alone`() {
    var frames = OutgoingFrames(headroom: 0)
    frames.append(.binary) { $0 += [UInt8](repeating: 0, count: 70_000) }
    frames.append(.text) { $0.append(1) }
    #expect(frames.takeBatch()?.count == 70_010)
    #expect(frames.takeBatch() == [0x81, 1, 1])
    #expect(frames.takeBatch() == nil)
  }

  @Test func `each batch begins with headroom, however long the one before was`() {
    var frames = OutgoingFrames(headroom: 4)
    frames.append(.text) { $0 += [UInt8](repeating: 1, count: 1000) }
    #expect(frames.takeBatch()?.count == 1008)
    frames.append(.text) { $0.append(2) }
    #expect(frames.takeBatch() == [0, 0, 0, 0, 0x81, 1, 2])
  }
}
