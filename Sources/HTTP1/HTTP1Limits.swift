/// The limits of one HTTP message. All sizes are in bytes.
///
/// Limits are inclusive: a part of exactly the limit's size is accepted, and one more byte or field is refused.
public struct HTTP1Limits: Sendable, Hashable {
  /// The longest request line or status line, without its CRLF. A longer request line gets 414.
  public var startLineBytes = 8192

  /// The largest head: start line and fields, with every CRLF and the closing empty line. A larger one gets 431.
  public var headBytes = 65_536

  /// The most field lines in one head, and in one trailer section. More get 431.
  public var fieldCount = 200

  /// The longest chunk-size line with extensions, without its CRLF.
  public var chunkLineBytes = 1024

  /// The largest total size of the chunk extensions in one body. They are ignored, so a body made of them would only
  /// cost time.
  public var chunkExtensionBytes = 16_384

  /// The largest trailer section, with every CRLF and the closing empty line. A larger one gets 431.
  public var trailerBytes = 16_384

  /// The most empty lines that are skipped before a request line (RFC 9112, section 2.2).
  public var leadingEmptyLines = 4

  /// The most bytes of a body that the server discards when it has answered before reading the body. If more remain, it
  /// closes the connection instead.
  public var drainedBytes = 65_536

  /// When this many bytes are buffered, the machine asks its owner to stop reading from the socket.
  public var bufferedBytes = 65_536

  /// The most informational (1xx) responses before a final one.
  public var informationalResponses = 32

  /// Whether a response is accepted that a recipient may mend: with lines that end in LF alone (RFC 9112, section 2.2),
  /// whitespace before a colon (section 5.1), folded fields (section 5.2), or several equal `Content-Length` (section
  /// 6.3). It is read as mended.
  public var mendsResponses = false

  /// The default limits.
  public static let `default` = HTTP1Limits()

  /// Creates the default limits.
  public init() {}
}
