import Testing

@testable import WebServer

@Suite struct OutgoingFramesTests {
  private func add(_ payload: [UInt8], _ kind: WebSocketMessage.Kind = .text, to frames: inout OutgoingFrames) {
    var spares = SpareBatches(headroom: 3)
    payload.withUnsafeBufferPointer { frames.append(kind, $0, from: &spares) }
  }

  private func frame(of payload: [UInt8], _ kind: WebSocketMessage.Kind = .text) throws -> [UInt8] {
    var frames = OutgoingFrames()
    add(payload, kind, to: &frames)
    let batch = frames.takeBatch()
    return Array(try #require(batch).frames)
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
    var frames = OutgoingFrames()
    for byte in UInt8(1)...3 { add([byte], to: &frames) }
    #expect(frames.byteCount == 9)
    #expect(frames.takeBytes() == [0x81, 1, 1, 0x81, 1, 2, 0x81, 1, 3])
    #expect(frames.isEmpty)
    #expect(frames.byteCount == 0)
  }

  @Test func `a full batch is not appended to`() {
    var frames = OutgoingFrames()
    add([UInt8](repeating: 0, count: 70_000), .binary, to: &frames)
    add([1], to: &frames)
    #expect(frames.takeBatch()?.count == 70_010)
    #expect(frames.takeBytes() == [0x81, 1, 1])
    #expect(frames.takeBytes() == nil)
  }

  @Test func `a reason that is too long for a close frame ends between two characters`() {
    let euros = String(repeating: "a", count: 122) + "€"
    #expect(OutgoingFrames.closeReason(euros) == Array(String(repeating: "a", count: 122).utf8))
    #expect(OutgoingFrames.closeReason(String(euros.dropFirst(2))) == Array(euros.dropFirst(2).utf8))
    #expect(OutgoingFrames.closeReason("short €") == Array("short €".utf8))
  }

  @Test(arguments: [(1000, 0), (1000, 125), (1000, 126), (70_000, 125), (70_000, 65_535), (70_000, 65_536), (100, 7)])
  func `a message may be shorter than its reserved room`(room: Int, count: Int) throws {
    let payload = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
    var frames = OutgoingFrames()
    var spares = SpareBatches(headroom: 3)
    frames.append(.text, upTo: room, from: &spares) { $0.update(fromContentsOf: payload) }
    #expect(frames.byteCount == (try frame(of: payload)).count)
    #expect(frames.takeBytes() == (try frame(of: payload)))
  }
}

extension OutgoingFrames {
  fileprivate mutating func takeBytes() -> [UInt8]? { takeBatch().map { Array($0.frames) } }
}
