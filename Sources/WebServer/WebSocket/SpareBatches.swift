/// Sent buffers, kept for reuse: recently used memory is in the processor's cache and needs no allocation.
struct SpareBatches {
  /// The most buffers to keep, and the largest size of each, in bytes.
  static let countLimit = 64
  static let capacityLimit = 72 << 10
  /// The capacity of a new buffer, in bytes.
  private static let smallest = 512

  /// How many bytes of each are reserved for libwebsockets.
  let headroom: Int
  private var batches: [FrameBuffer] = []

  init(headroom: Int) {
    self.headroom = headroom
  }

  /// Takes an empty buffer.
  mutating func take() -> FrameBuffer {
    batches.popLast() ?? FrameBuffer(headroom: headroom, capacity: Self.smallest)
  }

  /// Takes back a buffer that is no longer needed.
  mutating func give(_ batch: FrameBuffer) {
    guard batches.count < Self.countLimit, batch.capacity <= Self.capacityLimit else { return }
    batch.removeAll()
    batches.append(batch)
  }
}
