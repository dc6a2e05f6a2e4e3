public import HTTPTypes

/// The first rule that a message breaks.
///
/// A defect contains no bytes of the message, so it is safe to log.
public enum MessageDefect: Error, Sendable, Hashable, CaseIterable {
  // Lines.
  /// A line ends in LF alone.
  case bareLineFeed
  /// A CR is not followed by LF.
  case bareCarriageReturn
  /// A byte is not allowed at its place: a control byte or, in a request line, a byte above 0x7F.
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
  /// The trailers contain a field that controls framing, routing or the connection (RFC 9110, section 6.5.1).
  case forbiddenTrailer

  // The end of the connection.
  /// The peer ended the connection within a head.
  case truncatedHead
  /// The peer ended the connection within a body.
  case truncatedBody

  // Responses.
  /// The server ended the connection before the first byte of a response. If the request is idempotent and the
  /// connection was used before, send the request again on a new one (RFC 9112, section 9.3.1).
  case noResponse
  /// The response is 101, but the request offered no upgrade.
  case unexpectedSwitch
  /// There are more informational responses than allowed before the final one.
  case tooManyInformationalResponses
}

extension MessageDefect: CustomStringConvertible {
  /// What is wrong and what is right, in one sentence.
  public var description: String {
    switch self {
    case .bareLineFeed: "A line ends in LF alone; end every line of a head or chunk with CRLF."
    case .bareCarriageReturn: "A CR has no LF after it; end every line with CRLF."
    case .invalidByte: "A byte is not allowed at its place; remove control bytes, and percent-encode others."
    case .tooManyEmptyLines: "Too many empty lines stand before the request line."
    case .requestLineTooLong: "The request line is too long; shorten the target or send its query as a body."
    case .malformedRequestLine: "The request line is not a method, a target and a version with one space between."
    case .invalidMethod: "The method is not a token."
    case .invalidTarget: "The request target is malformed, or its form does not fit the method."
    case .malformedVersion: "The version is not of the form HTTP/1.1."
    case .unsupportedVersion: "This version of HTTP is not supported; use HTTP/1.1."
    case .malformedStatusLine: "The status line is not a version, a status of three digits and a reason."
    case .headTooLarge: "The header fields are too large in total; send fewer or smaller ones, such as fewer cookies."
    case .tooManyFields: "There are too many fields; send fewer."
    case .missingColon: "A field line has no colon."
    case .whitespaceBeforeColon: "A field line has white space before its colon; remove it."
    case .foldedField: "A field is folded over several lines; put it on one."
    case .invalidFieldName: "The name of a field is empty or not a token."
    case .missingHost: "The request has no Host field; HTTP/1.1 requires one."
    case .repeatedHost: "The request has several Host fields; send exactly one."
    case .invalidHost: "The Host field is not a host with an optional port."
    case .unknownExpectation: "The only supported expectation is 100-continue."
    case .invalidContentLength: "The Content-Length contains something other than digits."
    case .repeatedContentLength: "There are several Content-Length fields; send exactly one."
    case .contentLengthTooLarge: "The Content-Length is too large to be read."
    case .contentLengthWithTransferEncoding: "There are both Content-Length and Transfer-Encoding; send one of them."
    case .transferEncodingInHTTP10: "HTTP/1.0 has no Transfer-Encoding; use Content-Length or HTTP/1.1."
    case .malformedTransferEncoding: "The Transfer-Encoding is not a list of codings that ends in one chunked."
    case .chunkedNotFinal: "The last transfer coding is not chunked, so the end of the body is unknown."
    case .unsupportedTransferCoding: "The only supported transfer coding is chunked."
    case .malformedChunkSize: "A chunk does not begin with its size in hexadecimal digits."
    case .chunkTooLarge: "The size of a chunk is too large to be read."
    case .chunkLineTooLong: "The line before a chunk is too long; leave extensions out."
    case .chunkExtensionsTooLong: "The chunk extensions are too long in total; leave them out."
    case .missingChunkEnd: "The data of a chunk is not followed by CRLF: its size is wrong."
    case .trailersTooLarge: "The trailer fields are too large in total; send fewer or smaller ones."
    case .forbiddenTrailer: "The trailers contain a field that frames or routes the message; send it in the head."
    case .truncatedHead: "The connection ended within the head of a message."
    case .truncatedBody: "The connection ended within the body of a message."
    case .noResponse: "The server closed the connection without a response."
    case .unexpectedSwitch: "The server switched protocols although the request did not offer it."
    case .tooManyInformationalResponses: "The server sent too many informational responses and no final one."
    }
  }
}

/// Why a request is refused, and with which status. Close the connection after the response: nobody knows where the
/// next request begins.
public struct RequestError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The rule that the request breaks.
  public let defect: MessageDefect

  /// Creates the error for a defect.
  public init(_ defect: MessageDefect) {
    self.defect = defect
  }

  /// The status of the response.
  public var status: HTTPResponse.Status {
    switch defect {
    case .requestLineTooLong: .uriTooLong
    case .contentLengthTooLarge, .chunkTooLarge: .contentTooLarge
    case .unknownExpectation: .expectationFailed
    case .headTooLarge, .tooManyFields, .trailersTooLarge: .requestHeaderFieldsTooLarge
    case .unsupportedTransferCoding: .notImplemented
    case .unsupportedVersion: .httpVersionNotSupported
    default: .badRequest
    }
  }

  /// Whether a part of the request is larger than its limit.
  package var isTooLarge: Bool {
    [.contentTooLarge, .uriTooLong, .requestHeaderFieldsTooLarge].contains(status)
  }

  /// What is wrong and what is right, in one sentence without bytes of the request.
  public var description: String { defect.description }
}
