import HTTP1
import HTTPTypes

/// An outgoing body: the bytes that nghttp2 has not taken yet, the end of the body, and its trailers.
struct HTTP2QueuedBody {
  private var bytes: [UInt8] = []
  private var sentCount = 0
  private var trailers = HTTP2FieldSection()
  /// Whether bytes were taken since the last call of ``takeHasSent()``.
  private var hasSent = false
  /// Whether the body is complete, so that no more bytes are added.
  private(set) var hasEnded: Bool
  /// Whether nghttp2 has taken the end of the body.
  private(set) var endIsTaken: Bool

  /// The capacity that an empty queue keeps, at most, in bytes.
  private static let retainedCapacity = 64 << 10

  /// Creates an empty queue. With `hasEnded`, there is no body.
  init(hasEnded: Bool = false) {
    self.hasEnded = hasEnded
    endIsTaken = hasEnded
  }

  /// How many bytes nghttp2 has not taken yet.
  var count: Int { bytes.count - sentCount }

  /// How many bytes the queue holds. Those that nghttp2 has taken are freed together.
  var heldByteCount: Int { bytes.count }

  /// Adds bytes at the end.
  mutating func append(_ more: some Sequence<UInt8>) {
    bytes += more
  }

  /// Completes the body. Does nothing if it is complete.
  mutating func end(trailers: HTTPFields) {
    guard !hasEnded else { return }
    hasEnded = true
    self.trailers = HTTP2FieldSection(trailers: trailers)
  }

  /// Moves the next bytes into nghttp2's buffer.
  mutating func next(into buffer: UnsafeMutableRawBufferPointer) -> HTTP2Session.Body {
    let count = min(buffer.count, self.count)
    bytes[sentCount..<sentCount + count].withUnsafeBytes { buffer.copyMemory(from: $0) }
    sentCount += count
    if count > 0 { hasSent = true }
    if sentCount == bytes.count {
      bytes.removeAll(keepingCapacity: bytes.count <= Self.retainedCapacity)
      sentCount = 0
      endIsTaken = hasEnded
      if hasEnded { return trailers.isEmpty ? .end(count) : .trailers(count, trailers) }
    }
    return count == 0 ? .nothingYet : .bytes(count)
  }

  /// Returns whether bytes were taken since the last call.
  mutating func takeHasSent() -> Bool {
    defer { hasSent = false }
    return hasSent
  }
}
