import Testing

@testable import WebServer

@Suite struct SpareBatchesTests {
  private static let headroom = 16

  /// A buffer that was used for so many bytes.
  private func used(_ count: Int) -> FrameBuffer {
    let buffer = FrameBuffer(headroom: Self.headroom, capacity: 1)
    buffer.append(upTo: count) { memory in
      memory.update(repeating: 7, count: count)
      return count
    }
    return buffer
  }

  @Test func `a new spare buffer is empty`() {
    var spares = SpareBatches(headroom: Self.headroom)
    let buffer = spares.take()
    #expect(buffer.count == 0 && buffer.headroom == Self.headroom && buffer.frames.isEmpty)
  }

  @Test(arguments: [0, 1, 1000, 70_000])
  func `a returned buffer is reused empty`(count: Int) {
    var spares = SpareBatches(headroom: Self.headroom)
    let buffer = used(count)
    spares.give(buffer)
    let again = spares.take()
    #expect(again === buffer && again.count == 0 && again.capacity >= count)
    #expect(spares.take() !== buffer)
  }

  @Test func `a large buffer is not retained`() {
    var spares = SpareBatches(headroom: Self.headroom)
    let buffer = used(100_000)
    spares.give(buffer)
    #expect(spares.take() !== buffer)
  }

  @Test func `retained buffers are limited in number`() {
    var spares = SpareBatches(headroom: Self.headroom)
    let given = (0..<1000).map { _ in used(5000) }
    for buffer in given { spares.give(buffer) }
    let taken = (0..<1000).map { _ in spares.take() }
    #expect(taken.count { $0.capacity >= 5000 } == SpareBatches.countLimit)
  }

  @Test func `a buffer grows and retains its contents`() {
    let buffer = FrameBuffer(headroom: Self.headroom, capacity: 3)
    for byte in UInt8(0)..<200 {
      buffer.append(upTo: 5) { memory in
        memory[0] = byte
        return 1
      }
    }
    #expect(Array(buffer.frames) == Array(0..<200))
    #expect(buffer.capacity < 1000)
  }

  /// Frames of many sizes through buffers that come again and again, several at a time.
  @Test func `frames in reused buffers are written unchanged`() {
    var spares = SpareBatches(headroom: Self.headroom)
    var frames = OutgoingFrames()
    var expected: [UInt8] = []
    var sent: [UInt8] = []
    for number in 0..<600 {
      let payload = [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: number * number % 997)
      payload.withUnsafeBufferPointer { frames.append(.binary, $0, from: &spares) }
      expected +=
        payload.count < 126
        ? [0x82, UInt8(payload.count)] : [0x82, 126, UInt8(payload.count >> 8), UInt8(payload.count & 0xFF)]
      expected += payload
      if number % 50 == 0 {
        frames.appendPing(from: &spares)
        expected += OutgoingFrames.ping
      }
      guard number % 3 == 0 || number == 599 else { continue }
      let waiting = frames.byteCount
      var taken = 0
      while let batch = frames.takeBatch() {
        sent += batch.frames
        taken += batch.count
        spares.give(batch)
      }
      #expect(taken == waiting && frames.isEmpty)
    }
    #expect(sent == expected)
  }

  @Test func `the first batch after removeAll has only later frames`() {
    var spares = SpareBatches(headroom: Self.headroom)
    var frames = OutgoingFrames()
    for _ in 0..<3 {
      [UInt8](repeating: 1, count: 70_000).withUnsafeBufferPointer { frames.append(.text, $0, from: &spares) }
    }
    frames.removeAll()
    #expect(frames.isEmpty && frames.takeBatch() == nil)
    frames.appendPing(from: &spares)
    #expect(frames.takeBatch().map { Array($0.frames) } == OutgoingFrames.ping)
  }
}
