/// What is wrong with a message: the one rule that it broke first.
///
/// A defect never holds bytes of the message, so that it can be logged.
public enum MessageDefect: Error, Sendable, Hashable, CaseIterable {
  // Lines.
  /// A line ends in LF alone.
  case bareLineFeed
  /// CR stands without LF after it.
  case bareCarriageReturn
  /// A byte that may not stand where it does: a control byte, or a byte above 0x7F outside a field value.
  case invalidByte

  // Start lines.
  /// More empty lines than allowed before the request line.
  case tooManyEmptyLines
  /// The request line is longer than allowed.
  case requestLineTooLong
  /// The request line is not method, space, target, space, version.
  case malformedRequestLine
  /// The method is no token.
  case invalidMethod
  /// The target is none of the four forms of RFC 9112, section 3.2, or not the form that the method needs.
  case invalidTarget
  /// The version is not `HTTP/` digit `.` digit.
  case malformedVersion
  /// The version is well-formed, its major number is not 1.
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
  /// White space before the colon of a field line.
  case whitespaceBeforeColon
  /// A line that begins with white space: a folded field.
  case foldedField
  /// A field's name is empty or no token.
  case invalidFieldName
  /// No `Host` in HTTP/1.1.
  case missingHost
  /// More than one `Host`.
  case repeatedHost
  /// The `Host` is not a host with an optional port.
  case invalidHost
  /// An `Expect` other than `100-continue`.
  case unknownExpectation

  // Framing.
  /// A `Content-Length` that is not made of digits alone.
  case invalidContentLength
  /// More than one `Content-Length`, be they equal or not.
  case repeatedContentLength
  /// A `Content-Length` beyond every integer.
  case contentLengthTooLarge
  /// `Content-Length` beside `Transfer-Encoding`.
  case contentLengthWithTransferEncoding
  /// `Transfer-Encoding` in a message of HTTP/1.0.
  case transferEncodingInHTTP10
  /// A `Transfer-Encoding` that is no list of codings, or names `chunked` twice.
  case malformedTransferEncoding
  /// The last transfer coding is not `chunked`.
  case chunkedNotFinal
  /// A transfer coding that we do not know.
  case unsupportedTransferCoding

  // Chunks.
  /// The line before a chunk does not begin with a hexadecimal size.
  case malformedChunkSize
  /// A chunk's size is beyond every integer.
  case chunkTooLarge
  /// The line before a chunk is longer than allowed.
  case chunkLineTooLong
  /// The chunk extensions of a body are longer than allowed.
  case chunkExtensionsTooLong
  /// A chunk's data is not followed by CRLF.
  case missingChunkEnd
  /// The trailer section is larger than allowed.
  case trailersTooLarge
  /// A field that may not stand in a trailer section, since it frames or routes the message.
  case forbiddenTrailer

  // The end of the connection.
  /// The peer ended the connection within a head.
  case truncatedHead
  /// The peer ended the connection within a body.
  case truncatedBody

  // Responses.
  /// The server ended the connection before the first byte of a response. On a connection that was used before, a
  /// request that may be repeated can be sent again on a new one (RFC 9112, section 9.3.1).
  case noResponse
  /// A 101 to a request that did not offer an upgrade.
  case unexpectedSwitch
  /// More informational responses than allowed before a final one.
  case tooManyInformationalResponses
}
