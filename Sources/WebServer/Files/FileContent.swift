public import HTTP1

/// A file that can be served, wherever its bytes are.
public protocol FileContent: Sendable {
  /// Its size.
  var byteCount: Int { get }
  /// Its `Content-Type`.
  var mediaType: String { get }
  /// Its strong entity tag (RFC 9110, section 8.8.3); another one after every change.
  var entityTag: EntityTag? { get }
  /// When it was last changed; nil when that is not known.
  var lastModified: HTTPDate? { get }
  /// The same content in codings, each with an entity tag of its own (RFC 9110, section 8.8.3.3).
  var encodedCopies: [ContentCoding: any FileContent] { get }

  /// Up to `count` of its bytes from `offset` on; fewer, at the end or when the file was cut in the meantime.
  ///
  /// Runs where it is called from, so that what is in memory is there at once.
  nonisolated(nonsending) func read(at offset: Int, count: Int) async throws -> [UInt8]
}

extension FileContent {
  /// None.
  public var encodedCopies: [ContentCoding: any FileContent] { [:] }
}
