/// Frames (RFC 6455, section 5.2) that wait to be sent, written one after another into buffers with room before them for libwebsockets.
struct OutgoingFrames {
  /// How many bytes at the start of each buffer are libwebsockets' own, as in the spare ones.
  let headroom: Int
  /// How many bytes wait.
  private(set) var byteCount = 0

  /// Filled up to about this size before the next one is begun: a batch is one system call.
  private static let batchBytes = 64 << 10

  /// The batch that is being filled; empty when nothing waits.
  private var batch: [UInt8] = []
  /// The full ones before it, oldest first.
  private var full: [[UInt8]] = []

  init(headroom: Int) {
    self.headroom = headroom
  }

  var isEmpty: Bool { byteCount == 0 }

  /// Appends a message as one frame. A batch that is begun is one of `spares`.
  mutating func append(
    _ kind: WebSocketMessage.Kind, _ payload: UnsafeBufferPointer<UInt8>, from spares: inout SpareBatches
  ) {
    beginBatch(&spares)
    let start = batch.count
    batch.append(kind == .text ? 0x81 : 0x82)
    switch payload.count {
    case ..<126: batch.append(UInt8(payload.count))
    case ..<65_536:
      batch.append(126)
      batch.append(UInt8(payload.count >> 8))
      batch.append(UInt8(payload.count & 0xFF))
    default:
      batch.append(127)
      for shift in stride(from: 56, through: 0, by: -8) {
        batch.append(UInt8(truncatingIfNeeded: payload.count >> shift))
      }
    }
    batch.append(contentsOf: payload)
    byteCount += batch.count - start
  }

  /// Appends a ping without a payload.
  mutating func appendPing(from spares: inout SpareBatches) {
    beginBatch(&spares)
    batch.append(0x89)
    batch.append(0)
    byteCount += 2
  }

  /// Takes the oldest buffer.
  mutating func takeBatch() -> [UInt8]? {
    if isEmpty { return nil }
    var taken: [UInt8] = []
    if full.isEmpty { swap(&taken, &batch) } else { taken = full.removeFirst() }
    byteCount -= taken.count - headroom
    return taken
  }

  mutating func removeAll() {
    batch = []
    full = []
    byteCount = 0
  }

  private mutating func beginBatch(_ spares: inout SpareBatches) {
    if batch.count >= Self.batchBytes {
      full.append(batch)
      batch = []
    }
    if batch.isEmpty { batch = spares.take() }
  }
}
