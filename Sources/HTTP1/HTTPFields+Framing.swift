import HTTPTypes

extension HTTPFields {
  /// The value of the one `Content-Length`, nil when there is none.
  ///
  /// RFC 9112, section 6.3, would let equal values pass, whether in one field or in several; two readers that differ
  /// about such a message are what request smuggling is made of, so that only one plain number is accepted.
  func contentLength() throws(MessageDefect) -> Int? {
    guard contains(.contentLength) else { return nil }
    let values = self[values: .contentLength]
    guard let value = values.first else { return nil }
    guard values.count == 1 else { throw .repeatedContentLength }
    guard !value.isEmpty, value.utf8.allSatisfy(\.isDigit) else { throw .invalidContentLength }
    guard let length = Int(value) else { throw .contentLengthTooLarge }
    return length
  }

  /// Whether the message comes in chunks; false when there is no `Transfer-Encoding`.
  /// - Throws: for every other transfer coding, `chunked` not being the last one, in HTTP/1.0, or beside
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
