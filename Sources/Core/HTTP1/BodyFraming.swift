import HTTPTypes

/// How a recipient finds the end of a request's body (RFC 9112, section 6.3).
public enum BodyFraming: Sendable, Hashable {
  /// The request has no body.
  case none
  /// The body has this many bytes, which may be 0.
  case length(Int)
  /// The body is chunked.
  case chunked

  /// Whether there are bytes to read.
  public var hasBody: Bool {
    switch self {
    case .none, .length(0): false
    case .length, .chunked: true
    }
  }
}

/// How a recipient finds the end of a response's body (RFC 9112, section 6.3).
public enum ResponseBodyFraming: Sendable, Hashable {
  /// The response has no body, whatever its fields say: a response to `HEAD`, or with status 1xx, 204 or 304.
  case none
  /// The body has this many bytes, which may be 0.
  case length(Int)
  /// The body is chunked.
  case chunked
  /// The body ends with the connection.
  case untilClose
}

extension HTTPFields {
  /// The value of `Content-Length`, in bytes; nil when there is none.
  ///
  /// RFC 9112, section 6.3, lets a recipient accept several equal values. This parser accepts one number only: request
  /// smuggling relies on messages that two recipients read differently.
  /// - Throws: When there are several values, or the value is not a number or too large for an `Int`.
  func contentLength() throws(MessageDefect) -> Int? {
    guard contains(.contentLength) else { return nil }
    let values = self[values: .contentLength]
    guard let value = values.first else { return nil }
    guard values.count == 1 else { throw .repeatedContentLength }
    guard !value.isEmpty, value.utf8.allSatisfy(\.isDigit) else { throw .invalidContentLength }
    guard let length = Int(value) else { throw .contentLengthTooLarge }
    return length
  }

  /// Whether the body is chunked; false when there is no `Transfer-Encoding`.
  /// - Throws: When `Transfer-Encoding` is anything but one `chunked`, or occurs in HTTP/1.0 or next to
  ///   `Content-Length`.
  func isChunked(in version: HTTPVersion) throws(MessageDefect) -> Bool {
    guard contains(.transferEncoding) else { return false }
    let values = self[values: .transferEncoding]
    guard version >= .http11 else { throw .transferEncodingInHTTP10 }
    guard !contains(.contentLength) else { throw .contentLengthWithTransferEncoding }
    var codings: [String] = []
    for value in values {
      for element in value.utf8.split(separator: .comma, omittingEmptySubsequences: false) {
        let name = element.prefix { $0 != .semicolon }.trimmingWhitespace
        guard !name.isEmpty, name.allSatisfy(\.isToken), !element.contains(.doubleQuote) else {
          throw .malformedTransferEncoding
        }
        let coding = (String(Substring(name))).asciiLowercased
        guard coding != "chunked" || !element.contains(.semicolon) else { throw .malformedTransferEncoding }
        codings.append(coding)
      }
    }
    guard codings.last == "chunked" else { throw .chunkedNotFinal }
    guard !codings.dropLast().contains("chunked") else { throw .malformedTransferEncoding }
    guard codings.count == 1 else { throw .unsupportedTransferCoding }
    return true
  }
}
