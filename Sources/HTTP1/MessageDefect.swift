/// What is wrong with a message: the first rule that it breaks.
///
/// A defect contains no bytes of the message, so it can be logged.
public enum MessageDefect: Error, Sendable, Hashable, CaseIterable {
  // Lines.
  /// A line ends in LF alone.
  case bareLineFeed
  /// CR stands without LF after it.
  case bareCarriageReturn
  /// A byte that is not allowed at its place: a control byte, or a byte above 0x7F outside a field value.
  case invalidByte

  // Start lines.
  /// More empty lines than allowed before the request line.
  case tooManyEmptyLines
  /// The request line is longer than allowed.
  case requestLineTooLong
  /// The request line is not method, space, target, space, version.
  case malformedRequestLine
  /// The method is not a token.
  case invalidMethod
  /// The target is none of the four forms of RFC 9112, section 3.2, or not the form that the method needs.
  case invalidTarget
  /// The version is not `HTTP/` digit `.` digit.
  case malformedVersion
  /// The major version is not 1.
  case unsupportedVersion
  /// The status line is not version, space, three digits, space, reason.
  case malformedStatusLine

  // Fields.
  /// The head is larger than allowed.
  case headTooLarge
  /// There are more fields than allowed.
  case tooManyFields
  /// A field line has no colon.
  case missingColon
  /// A field line has white space before its colon.
  case whitespaceBeforeColon
  /// A field line begins with white space: it is folded.
  case foldedField
  /// A field's name is empty or not a token.
  case invalidFieldName
  /// An HTTP/1.1 request has no `Host`.
  case missingHost
  /// There is more than one `Host`.
  case repeatedHost
  /// The `Host` is not a host with an optional port.
  case invalidHost
  /// `Expect` is not `100-continue`.
  case unknownExpectation

  // Framing.
  /// `Content-Length` contains something other than digits.
  case invalidContentLength
  /// There is more than one `Content-Length`, equal or not.
  case repeatedContentLength
  /// `Content-Length` is too large for an `Int`.
  case contentLengthTooLarge
  /// There are both `Content-Length` and `Transfer-Encoding`.
  case contentLengthWithTransferEncoding
  /// An HTTP/1.0 message has `Transfer-Encoding`.
  case transferEncodingInHTTP10
  /// `Transfer-Encoding` is not a list of codings, or contains `chunked` twice.
  case malformedTransferEncoding
  /// The last transfer coding is not `chunked`.
  case chunkedNotFinal
  /// There is a transfer coding other than `chunked`.
  case unsupportedTransferCoding

  // Chunks.
  /// The line before a chunk does not begin with a hexadecimal size.
  case malformedChunkSize
  /// A chunk's size is too large for an `Int`.
  case chunkTooLarge
  /// The line before a chunk is longer than allowed.
  case chunkLineTooLong
  /// The chunk extensions of a body are longer than allowed.
  case chunkExtensionsTooLong
  /// A chunk's data is not followed by CRLF.
  case missingChunkEnd
  /// The trailer section is larger than allowed.
  case trailersTooLarge
  /// The trailers contain a field that frames or routes the message.
  case forbiddenTrailer

  // The end of the connection.
  /// The peer ended the connection within a head.
  case truncatedHead
  /// The peer ended the connection within a body.
  case truncatedBody

  // Responses.
  /// The server ended the connection before the first byte of a response. If the connection was used before, an
  /// idempotent request can be sent again on a new one (RFC 9112, section 9.3.1).
  case noResponse
  /// The response is 101, but the request offered no upgrade.
  case unexpectedSwitch
  /// There are more informational responses than allowed before the final one.
  case tooManyInformationalResponses
}
