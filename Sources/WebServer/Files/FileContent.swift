public import HTTP1

/// A file that can be served, from disk or from memory.
public protocol FileContent: Sendable {
  /// The size, in bytes.
  var byteCount: Int { get }
  /// The `Content-Type`.
  var mediaType: String { get }
  /// The strong entity tag (RFC 9110, section 8.8.3), which changes with the content.
  var entityTag: EntityTag? { get }
  /// When it was last changed; nil when that is unknown.
  var lastModified: HTTPDate? { get }
  /// Copies of the content in other codings, each with its own entity tag (RFC 9110, section 8.8.3.3).
  var encodedCopies: [ContentCoding: any FileContent] { get }

  /// Reads bytes. It runs on the caller's executor, so that content in memory is there at once.
  ///
  /// - Parameters:
  ///   - offset: The position of the first byte.
  ///   - count: How many bytes to read.
  /// - Returns: The bytes; fewer than `count` at the end, or when the file was truncated in the meantime.
  /// - Throws: The system's error.
  nonisolated(nonsending) func read(at offset: Int, count: Int) async throws -> [UInt8]
}

extension FileContent {
  /// No copies.
  public var encodedCopies: [ContentCoding: any FileContent] { [:] }
}
