import HTTP1
import HTTPTypes

/// The body that one end of a stream sends: the bytes that wait for nghttp2, its end and its trailers.
struct HTTP2QueuedBody {
  private var bytes: [UInt8] = []
  private var sentCount = 0
  private var trailers = HTTP2FieldSection()
  private var hasSent = false
  /// Whether no more bytes come.
  private(set) var hasEnded: Bool

  /// The capacity that an empty queue keeps, at most, in bytes.
  private static let keptCapacity = 64 << 10

  /// Creates an empty queue. `hasEnded` says that there is no body.
  init(hasEnded: Bool = false) {
    self.hasEnded = hasEnded
  }

  /// The number of bytes that are not sent.
  var count: Int { bytes.count - sentCount }

  /// Adds bytes at the end.
  mutating func append(_ more: some Sequence<UInt8>) {
    bytes += more
  }

  /// The body is complete.
  mutating func end(trailers: HTTPFields) {
    hasEnded = true
    self.trailers = HTTP2FieldSection(trailers: trailers)
  }

  /// Takes the next bytes.
  mutating func next(into buffer: UnsafeMutableRawBufferPointer) -> HTTP2Session.Body {
    let count = min(buffer.count, self.count)
    bytes[sentCount..<sentCount + count].withUnsafeBytes { buffer.copyMemory(from: $0) }
    sentCount += count
    if count > 0 { hasSent = true }
    if sentCount == bytes.count {
      bytes.removeAll(keepingCapacity: bytes.count <= Self.keptCapacity)
      sentCount = 0
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
