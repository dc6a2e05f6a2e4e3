/// The limits of one HTTP message. All sizes are in bytes.
///
/// Limits are inclusive: a part of exactly the limit's size is accepted, and one more byte or field is refused.
public struct HTTP1Limits: Sendable, Hashable {
  /// The longest request line or status line, without its CRLF. A longer request line gets 414.
  public var startLineBytes = 8192

  /// The largest head: start line and fields, with every CRLF and the final empty line. A larger one gets 431.
  public var headBytes = 65_536

  /// The maximum number of field lines in one head, and in one trailer section. More get 431.
  public var fieldCount = 200

  /// The longest chunk-size line with extensions, without its CRLF.
  public var chunkLineBytes = 1024

  /// The largest total size of the chunk extensions in one body. Without this limit, a peer could keep the parser busy
  /// with bytes that it ignores.
  public var chunkExtensionBytes = 16_384

  /// The largest trailer section, with every CRLF and the final empty line. A larger one gets 431.
  public var trailerBytes = 16_384

  /// How many empty lines to skip before a request line (RFC 9112, section 2.2). More get 400.
  public var leadingEmptyLines = 4

  /// How many bytes of a request's body the server reads and discards after an early response, to keep the connection.
  /// If more remain, it closes the connection.
  public var drainedBytes = 65_536

  /// When this many bytes are buffered, the state machines ask their owner to stop reading from the socket.
  public var bufferedBytes = 65_536

  /// The maximum number of informational (1xx) responses before a final one.
  public var informationalResponses = 32

  /// Whether to mend the defects of a response that RFC 9112 lets a recipient mend: lines that end in LF alone (section
  /// 2.2), white space before a colon (section 5.1), folded fields (section 5.2), and several equal `Content-Length`
  /// values (section 6.3). ``ResponseHead/mended`` lists them. If false, such a response is an error. Requests are
  /// never mended.
  public var mendsResponses = false

  /// The default limits.
  public static let `default` = HTTP1Limits()

  /// Creates the default limits.
  public init() {}
}
