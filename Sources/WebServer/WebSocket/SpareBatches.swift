/// Buffers that have been sent, for those that come next: memory that was used just now is in the processor's cache, and need not be asked
/// for.
struct SpareBatches {
  /// How many are kept, and how large each may be in bytes.
  static let countLimit = 64
  static let capacityLimit = 72 << 10
  /// How much room a new one has, in bytes.
  private static let smallest = 512

  /// How many bytes of each are libwebsockets' own.
  let headroom: Int
  private var batches: [FrameBuffer] = []

  init(headroom: Int) {
    self.headroom = headroom
  }

  /// Takes an empty buffer.
  mutating func take() -> FrameBuffer {
    batches.popLast() ?? FrameBuffer(headroom: headroom, capacity: Self.smallest)
  }

  /// Takes back a buffer that is not needed any more.
  mutating func give(_ batch: FrameBuffer) {
    guard batches.count < Self.countLimit, batch.capacity <= Self.capacityLimit else { return }
    batch.removeAll()
    batches.append(batch)
  }
}
