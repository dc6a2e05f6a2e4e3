/// Buffers that have been sent, for those that come next: memory that was used just now is in the processor's cache, and need not be asked
/// for.
struct SpareBatches {
  /// How many are kept, and how large each may be in bytes.
  private static let countLimit = 64
  private static let capacityLimit = 72 << 10
  /// How much room a new one has, in bytes.
  private static let smallest = 512

  /// How many bytes each begins with.
  let headroom: Int
  private var batches: [[UInt8]] = []

  init(headroom: Int) {
    self.headroom = headroom
  }

  /// Takes a buffer that has its headroom and nothing more.
  mutating func take() -> [UInt8] {
    if let batch = batches.popLast() { return batch }
    var batch: [UInt8] = []
    batch.reserveCapacity(Self.smallest)
    batch.append(contentsOf: repeatElement(0, count: headroom))
    return batch
  }

  /// Takes back a buffer that is not needed any more.
  mutating func give(_ batch: inout [UInt8]) {
    var spare: [UInt8] = []
    swap(&spare, &batch)
    guard batches.count < Self.countLimit, spare.capacity <= Self.capacityLimit, spare.count >= headroom else { return }
    spare.removeSubrange(headroom...)
    batches.append(spare)
  }
}
