/// Frames (RFC 6455, section 5.2) that wait to be sent, written one after another into buffers with room before them for libwebsockets.
struct OutgoingFrames {
  /// How many bytes at the start of each buffer are libwebsockets' own.
  let headroom: Int
  /// How many bytes wait.
  private(set) var byteCount = 0

  /// Filled up to about this size before the next one is begun: a batch is one system call.
  private static let batchBytes = 64 << 10

  private var batches: [[UInt8]] = []
  /// How much room the next batch begins with: as much as the last one came to need.
  private var room = 0

  init(headroom: Int) {
    self.headroom = headroom
  }

  var isEmpty: Bool { batches.isEmpty }

  /// Appends a message as one frame; `build` appends the payload.
  mutating func append(_ kind: WebSocketMessage.Kind, _ build: (inout [UInt8]) -> Void) {
    if batches.isEmpty || batches[batches.count - 1].count >= Self.batchBytes { batches.append(emptyBatch()) }
    let index = batches.count - 1
    byteCount -= batches[index].count
    Self.appendFrame(kind, to: &batches[index], build)
    byteCount += batches[index].count
  }

  /// Appends a ping without a payload.
  mutating func appendPing() {
    if batches.isEmpty { batches.append(emptyBatch()) }
    batches[batches.count - 1] += [0x89, 0]
    byteCount += 2
  }

  /// Takes the oldest buffer.
  mutating func takeBatch() -> [UInt8]? {
    guard !batches.isEmpty else { return nil }
    let batch = batches.removeFirst()
    byteCount -= batch.count - headroom
    room = min(batch.count, Self.batchBytes)
    return batch
  }

  mutating func removeAll() {
    batches = []
    byteCount = 0
  }

  private func emptyBatch() -> [UInt8] {
    var batch: [UInt8] = []
    batch.reserveCapacity(max(room, headroom + 256))
    for _ in 0..<headroom { batch.append(0) }
    return batch
  }

  private static func appendFrame(
    _ kind: WebSocketMessage.Kind, to batch: inout [UInt8], _ build: (inout [UInt8]) -> Void
  ) {
    let first: UInt8 = kind == .text ? 0x81 : 0x82
    let start = batch.count
    // Payloads of 126 to 65,535 bytes are the usual ones: only others have to be moved once their length is known.
    for byte in [first, 126, 0, 0] { batch.append(byte) }
    build(&batch)
    let payload = start + 4
    let length = batch.count - payload
    switch length {
    case ..<126: batch.replaceSubrange(start..<payload, with: [first, UInt8(length)])
    case ..<65_536:
      batch[start + 2] = UInt8(length >> 8)
      batch[start + 3] = UInt8(length & 0xFF)
    default:
      let bytes = (0..<8).map { UInt8(truncatingIfNeeded: length >> (56 - 8 * $0)) }
      batch.replaceSubrange(start..<payload, with: [first, 127] + bytes)
    }
  }
}
