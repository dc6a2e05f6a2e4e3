import Testing

@testable import WebServer

@Suite struct SpareBatchesTests {
  private static let headroom = 16

  /// A buffer that was used: its headroom, and so many bytes of others' behind it.
  private func used(_ count: Int) -> [UInt8] {
    [UInt8](repeating: 7, count: Self.headroom + count)
  }

  private func address(_ batch: [UInt8]) -> UnsafeRawPointer? { batch.withUnsafeBytes(\.baseAddress) }

  @Test func `a new buffer has its headroom and nothing more`() {
    var spares = SpareBatches(headroom: Self.headroom)
    #expect(spares.take() == [UInt8](repeating: 0, count: Self.headroom))
    var none = SpareBatches(headroom: 0)
    #expect(none.take() == [])
  }

  @Test(arguments: [0, 1, 1000, 70_000])
  func `what is given back comes again, in the same memory, without what was in it`(count: Int) {
    var spares = SpareBatches(headroom: Self.headroom)
    var batch = used(count)
    let before = address(batch)
    spares.give(&batch)
    #expect(batch.isEmpty)
    var again = spares.take()
    #expect(address(again) == before)
    #expect(again.count == Self.headroom && again.capacity >= Self.headroom + count)
    again.append(1)
    #expect(again.suffix(1) == [1] && again.count == Self.headroom + 1)
    #expect(address(spares.take()) != before)
  }

  @Test func `a large buffer is not kept`() {
    var spares = SpareBatches(headroom: Self.headroom)
    var batch = used(100_000)
    spares.give(&batch)
    #expect(batch.isEmpty)
    let next = spares.take()
    #expect(next.count == Self.headroom && next.capacity < 10_000)
  }

  @Test func `no more than some are kept`() {
    var spares = SpareBatches(headroom: Self.headroom)
    for _ in 0..<1000 {
      var batch = used(5000)
      spares.give(&batch)
    }
    let taken = (0..<1000).map { _ in spares.take() }
    #expect(taken.allSatisfy { $0.count == Self.headroom })
    #expect((1...64).contains(taken.count { $0.capacity >= 5000 }))
  }

  @Test func `what has no headroom any more is not kept`() {
    var spares = SpareBatches(headroom: Self.headroom)
    for count in 0..<Self.headroom {
      var batch = [UInt8](repeating: 7, count: count)
      spares.give(&batch)
    }
    #expect(spares.take() == [UInt8](repeating: 0, count: Self.headroom))
  }

  /// Frames of many sizes through buffers that come again and again, several at a time.
  @Test func `in buffers that were used before each frame is as it was sent`() {
    var spares = SpareBatches(headroom: Self.headroom)
    var frames = OutgoingFrames(headroom: Self.headroom)
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
        expected += [0x89, 0]
      }
      guard number % 3 == 0 || number == 599 else { continue }
      let waiting = frames.byteCount
      var taken = 0
      while taken < waiting, var batch = frames.takeBatch() {
        sent += batch.dropFirst(Self.headroom)
        taken += batch.count - Self.headroom
        spares.give(&batch)
      }
      #expect(taken == waiting && frames.isEmpty)
    }
    #expect(sent == expected)
  }

  @Test func `after everything was removed the next batch begins anew`() {
    var spares = SpareBatches(headroom: Self.headroom)
    var frames = OutgoingFrames(headroom: Self.headroom)
    for _ in 0..<3 {
      [UInt8](repeating: 1, count: 70_000).withUnsafeBufferPointer { frames.append(.text, $0, from: &spares) }
    }
    frames.removeAll()
    #expect(frames.isEmpty && frames.takeBatch() == nil)
    frames.appendPing(from: &spares)
    #expect(frames.takeBatch() == [UInt8](repeating: 0, count: Self.headroom) + [0x89, 0])
  }
}
