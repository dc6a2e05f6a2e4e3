/// How much of a message is taken in before it is refused. All sizes are in bytes.
///
/// Every limit is inclusive: a part of exactly the limit's size is accepted, one byte (or one field) more is refused.
public struct HTTP1Limits: Sendable, Hashable {
  /// The longest request line or status line, without its CRLF. A longer request line is answered with 414.
  public var startLineBytes = 8192

  /// The largest head: start line and fields with every CRLF, the closing empty line included. A larger one is
  /// answered with 431.
  public var headBytes = 65_536

  /// The most field lines in one head, and in one trailer section. More are answered with 431.
  public var fieldCount = 200

  /// The longest line that announces a chunk, extensions included, without its CRLF.
  public var chunkLineBytes = 1024

  /// The most bytes that the chunk extensions of one body may have together. They carry nothing that we use, so that
  /// a body made of them would be work without end for nothing.
  public var chunkExtensionBytes = 16_384

  /// The largest trailer section with every CRLF, the closing empty line included. A larger one is answered with 431.
  public var trailerBytes = 16_384

  /// The most empty lines that are skipped before a request line (RFC 9112, section 2.2).
  public var leadingEmptyLines = 4

  /// The most body bytes that are read and thrown away when a request was answered before its body was read. When
  /// more are left, the connection closes instead.
  public var drainedBytes = 65_536

  /// From how many waiting bytes on the machine asks its owner to read no more from the socket.
  public var bufferedBytes = 65_536

  /// The most informational (1xx) responses before a final one.
  public var informationalResponses = 32

  /// The limits that servers and clients use unless told otherwise.
  public static let `default` = HTTP1Limits()

  /// Creates the default limits, to be changed where needed.
  public init() {}
}
