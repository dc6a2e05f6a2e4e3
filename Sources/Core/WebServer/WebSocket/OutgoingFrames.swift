/// A queue of frames (RFC 6455, section 5.2), in buffers that are sent as a whole.
struct OutgoingFrames {
  /// How many bytes are queued.
  private(set) var byteCount = 0

  /// Once a buffer has this many bytes, the next frame begins a new one. Each buffer is sent with one system call.
  private static let batchBytes = 64 << 10

  /// The buffer that is being filled; nil when nothing is queued.
  private var batch: FrameBuffer?
  /// The full buffers before it, oldest first.
  private var full: [FrameBuffer] = []

  var isEmpty: Bool { batch == nil }

  /// Appends a message as one frame. Takes a buffer from `spares` if it needs another one.
  mutating func append(
    _ kind: WebSocketMessage.Kind, _ payload: UnsafeBufferPointer<UInt8>, from spares: inout SpareBatches
  ) {
    append(kind, upTo: payload.count, from: &spares) { memory in
      if let start = payload.baseAddress { memory.baseAddress?.update(from: start, count: payload.count) }
      return payload.count
    }
  }

  /// Appends a message as one frame. `write` writes at most `room` bytes of payload, and returns how many.
  mutating func append(
    _ kind: WebSocketMessage.Kind,
    upTo room: Int,
    from spares: inout SpareBatches,
    _ write: (UnsafeMutableBufferPointer<UInt8>) -> Int
  ) {
    let batch = currentBatch(&spares)
    let former = batch.count
    batch.append(upTo: Self.longestHead + room) { frame in
      // If the payload is so much shorter than `room` that its frame has a shorter header, move it.
      let expected = Self.headCount(forPayload: room)
      let count = write(UnsafeMutableBufferPointer(start: frame + expected, count: room))
      let headCount = Self.headCount(forPayload: count)
      if headCount != expected { (frame + headCount).update(from: frame + expected, count: count) }
      Self.writeHead(kind == .text ? 0x81 : 0x82, payloadCount: count, to: frame)
      return headCount + count
    }
    byteCount += batch.count - former
  }

  /// A ping frame. It has a payload, which the peer repeats: libwebsockets does not report pongs without one.
  static let ping: [UInt8] = [0x89, 1, UInt8(ascii: "p")]

  /// Appends a ping.
  mutating func appendPing(from spares: inout SpareBatches) {
    let count = Self.ping.count
    currentBatch(&spares).append(upTo: count) { frame in
      for (index, byte) in Self.ping.enumerated() { frame[index] = byte }
      return count
    }
    byteCount += count
  }

  /// The first 123 bytes of a reason, which fit into a close frame (RFC 6455, section 5.5).
  static func closeReason(_ reason: String) -> [UInt8] {
    let end = reason.utf8.index(reason.startIndex, offsetBy: 123, limitedBy: reason.endIndex) ?? reason.endIndex
    // A range of a string begins and ends between two scalars.
    return Array(reason[..<end].utf8)
  }

  /// Appends a close frame.
  mutating func appendClose(_ code: WebSocketCloseCode, _ reason: String, from spares: inout SpareBatches) {
    let reason = Self.closeReason(reason)
    currentBatch(&spares).append(upTo: 4 + reason.count) { frame in
      frame[0] = 0x88
      frame[1] = UInt8(2 + reason.count)
      frame[2] = UInt8(code.rawValue >> 8)
      frame[3] = UInt8(code.rawValue & 0xff)
      for (index, byte) in reason.enumerated() { frame[4 + index] = byte }
      return 4 + reason.count
    }
    byteCount += 4 + reason.count
  }

  /// Takes the oldest buffer; nil if the queue is empty.
  mutating func takeBatch() -> FrameBuffer? {
    guard let batch else { return nil }
    var taken = batch
    if full.isEmpty { self.batch = nil } else { taken = full.removeFirst() }
    byteCount -= taken.count
    return taken
  }

  mutating func removeAll() {
    batch = nil
    full = []
    byteCount = 0
  }

  private mutating func currentBatch(_ spares: inout SpareBatches) -> FrameBuffer {
    if let batch {
      if batch.count < Self.batchBytes { return batch }
      full.append(batch)
    }
    let next = spares.take()
    batch = next
    return next
  }

  /// The size of the longest frame header, in bytes. A server's frames have no masking key.
  private static let longestHead = 10

  private static func headCount(forPayload count: Int) -> Int {
    switch count {
    case ..<126: 2
    case ..<65_536: 4
    default: longestHead
    }
  }

  private static func writeHead(_ first: UInt8, payloadCount count: Int, to head: UnsafeMutablePointer<UInt8>) {
    head[0] = first
    switch headCount(forPayload: count) {
    case 2: head[1] = UInt8(truncatingIfNeeded: count)
    case 4:
      head[1] = 126
      head[2] = UInt8(truncatingIfNeeded: count >> 8)
      head[3] = UInt8(truncatingIfNeeded: count)
    default:
      head[1] = 127
      for index in 0..<8 { head[2 + index] = UInt8(truncatingIfNeeded: count >> (56 - 8 * index)) }
    }
  }
}

/// Sent buffers, kept for reuse: recently used memory is in the processor's cache and needs no allocation. (Without
/// this, 11 % more instructions for a `query`.)
struct SpareBatches {
  /// How many buffers to keep.
  static let countLimit = 64
  /// The largest buffer to keep, in bytes.
  static let capacityLimit = 72 << 10
  /// The capacity of a new buffer, in bytes.
  private static let smallest = 512

  /// How many bytes of each buffer are reserved for libwebsockets.
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
