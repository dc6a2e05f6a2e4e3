import HTTP1
import HTTPTypes
import Testing

/// A request that breaks a rule.
struct RefusedRequest: Sendable, CustomTestStringConvertible {
  let what: String
  let text: String
  let status: Int
  let defect: MessageDefect

  init(_ what: String, _ text: String, _ status: Int, _ defect: MessageDefect) {
    self.what = what
    self.text = text
    self.status = status
    self.defect = defect
  }

  var testDescription: String { what }

  /// A GET whose head has these lines.
  static func fields(_ what: String, _ lines: String, _ status: Int, _ defect: MessageDefect) -> RefusedRequest {
    RefusedRequest(what, "GET / HTTP/1.1\r\n\(lines)\r\n", status, defect)
  }

  /// A POST with a Host and these lines.
  static func framing(_ what: String, _ lines: String, _ status: Int, _ defect: MessageDefect) -> RefusedRequest {
    RefusedRequest(what, "POST / HTTP/1.1\r\nHost: a\r\n\(lines)\r\n", status, defect)
  }

  /// A POST whose body is these chunks.
  static func chunks(_ what: String, _ chunks: String, _ status: Int, _ defect: MessageDefect) -> RefusedRequest {
    framing(what, "Transfer-Encoding: chunked\r\n\r\n\(chunks)", status, defect)
  }

  /// A request line with a Host after it.
  static func line(_ what: String, _ line: String, _ status: Int, _ defect: MessageDefect) -> RefusedRequest {
    RefusedRequest(what, "\(line)\r\nHost: a\r\n\r\n", status, defect)
  }
}

/// Every rule with a request that breaks it.
let refusedRequests: [RefusedRequest] = requestLineRefusals + fieldRefusals + framingRefusals + chunkRefusals

private let requestLineRefusals: [RefusedRequest] = [
  .line("HTTP/9.9", "GET / HTTP/9.9", 505, .unsupportedVersion),
  .line("HTTP/2.0", "GET / HTTP/2.0", 505, .unsupportedVersion),
  .line("HTTP/0.9", "GET / HTTP/0.9", 505, .unsupportedVersion),
  RefusedRequest("the preface of HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 505, .unsupportedVersion),
  .line("no version", "GET /", 400, .malformedRequestLine),
  .line("a lower-case version", "GET / http/1.1", 400, .malformedVersion),
  .line("a version without minor", "GET / HTTP/1", 400, .malformedVersion),
  .line("a version with a dot only", "GET / HTTP/1.", 400, .malformedVersion),
  .line("a version of two digits", "GET / HTTP/1.10", 400, .malformedVersion),
  .line("a version with a letter", "GET / HTTP/1.x", 400, .malformedVersion),
  .line("another protocol", "GET / HTTPS/1.1", 400, .malformedVersion),
  .line("space after the version", "GET / HTTP/1.1 ", 400, .malformedRequestLine),
  .line("two spaces after the method", "GET  / HTTP/1.1", 400, .malformedRequestLine),
  .line("two spaces before the version", "GET /  HTTP/1.1", 400, .malformedRequestLine),
  .line("a space before the method", " GET / HTTP/1.1", 400, .malformedRequestLine),
  .line("a space in the target", "GET /a b HTTP/1.1", 400, .malformedRequestLine),
  .line("a tab for a space", "GET\t/ HTTP/1.1", 400, .invalidByte),
  .line("a method alone", "GET", 400, .malformedRequestLine),
  .line("an empty target", "GET  HTTP/1.1", 400, .invalidTarget),
  .line("a method with a slash", "G/T / HTTP/1.1", 400, .invalidMethod),
  .line("a method with a colon", "GET: / HTTP/1.1", 400, .invalidMethod),
  .line("an empty method", " / HTTP/1.1", 400, .invalidMethod),
  .line("# in the target", "GET /a#b HTTP/1.1", 400, .invalidTarget),
  .line("# in the query", "GET /a?b#c HTTP/1.1", 400, .invalidTarget),
  .line("a quote in the target", "GET /\" HTTP/1.1", 400, .invalidTarget),
  .line("< in the target", "GET /<script> HTTP/1.1", 400, .invalidTarget),
  .line("a backslash in the path", "GET /..\\a HTTP/1.1", 400, .invalidTarget),
  .line("a relative path", "GET a HTTP/1.1", 400, .invalidTarget),
  .line("a query alone", "GET ?a HTTP/1.1", 400, .invalidTarget),
  .line("another scheme", "GET ftp://a/ HTTP/1.1", 400, .invalidTarget),
  .line("an absolute target without a host", "GET http:///a HTTP/1.1", 400, .invalidTarget),
  .line("an absolute target with a user", "GET http://me:pw@a/ HTTP/1.1", 400, .invalidTarget),
  .line("an absolute target with a wrong port", "GET http://a:99999/ HTTP/1.1", 400, .invalidTarget),
  .line("* with GET", "GET * HTTP/1.1", 400, .invalidTarget),
  .line("** with OPTIONS", "OPTIONS ** HTTP/1.1", 400, .invalidTarget),
  .line("CONNECT with a path", "CONNECT / HTTP/1.1", 400, .invalidTarget),
  .line("CONNECT without a port", "CONNECT a HTTP/1.1", 400, .invalidTarget),
  .line("an authority with GET", "GET a:80 HTTP/1.1", 400, .invalidTarget),
  .line("a letter above 0x7F in the target", "GET /ü HTTP/1.1", 400, .invalidByte),
  .line("DEL in the target", "GET /\u{7F} HTTP/1.1", 400, .invalidByte),
  .line("NUL in the target", "GET /\0 HTTP/1.1", 400, .invalidByte),
  RefusedRequest("the first bytes of TLS", "\u{16}\u{3}\u{1}", 400, .invalidByte),
  RefusedRequest("a request line that ends in LF", "GET / HTTP/1.1\nHost: a\r\n\r\n", 400, .bareLineFeed),
  RefusedRequest("CR in the request line", "GET / HTTP/1.1\rHost: a\r\n\r\n", 400, .bareCarriageReturn),
  RefusedRequest("two CR", "GET / HTTP/1.1\r\r\nHost: a\r\n\r\n", 400, .bareCarriageReturn),
  RefusedRequest("LF before the request line", "\nGET / HTTP/1.1\r\nHost: a\r\n\r\n", 400, .bareLineFeed),
  RefusedRequest(
    "five empty lines before the request line", "\r\n\r\n\r\n\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n", 400,
    .tooManyEmptyLines),
]

private let fieldRefusals: [RefusedRequest] = [
  .fields("no Host", "", 400, .missingHost),
  .fields("no Host among others", "Accept: */*\r\n", 400, .missingHost),
  .fields("two Hosts", "Host: a\r\nHost: b\r\n", 400, .repeatedHost),
  .fields("two equal Hosts", "Host: a\r\nhost: a\r\n", 400, .repeatedHost),
  RefusedRequest("two Hosts in 1.0", "GET / HTTP/1.0\r\nHost: a\r\nHost: b\r\n\r\n", 400, .repeatedHost),
  .fields("an empty Host", "Host:\r\n", 400, .invalidHost),
  .fields("a Host that is a port", "Host: :80\r\n", 400, .invalidHost),
  .fields("a list in Host", "Host: a, b\r\n", 400, .invalidHost),
  .fields("a path in Host", "Host: a/b\r\n", 400, .invalidHost),
  .fields("a scheme in Host", "Host: http://a\r\n", 400, .invalidHost),
  .fields("a user in Host", "Host: me@a\r\n", 400, .invalidHost),
  .fields("a query in Host", "Host: a?b\r\n", 400, .invalidHost),
  .fields("a port that is no number", "Host: a:b\r\n", 400, .invalidHost),
  .fields("a signed port", "Host: a:+8\r\n", 400, .invalidHost),
  .fields("a port above 65535", "Host: a:65536\r\n", 400, .invalidHost),
  .fields("two ports", "Host: a:80:80\r\n", 400, .invalidHost),
  .fields("a broken escape in Host", "Host: a%2\r\n", 400, .invalidHost),
  .fields("a letter above 0x7F in Host", "Host: ü\r\n", 400, .invalidHost),
  .fields("IPv6 without brackets", "Host: ::1\r\n", 400, .invalidHost),
  .fields("IPv6 with an open bracket", "Host: [::1\r\n", 400, .invalidHost),
  .fields("IPv6 with two gaps", "Host: [1::2::3]\r\n", 400, .invalidHost),
  .fields("IPv6 with seven groups", "Host: [1:2:3:4:5:6:7]\r\n", 400, .invalidHost),
  .fields("IPv6 with nine groups", "Host: [1:2:3:4:5:6:7:8:9]\r\n", 400, .invalidHost),
  .fields("IPv6 with a long group", "Host: [::12345]\r\n", 400, .invalidHost),
  .fields("IPv6 with a wrong IPv4", "Host: [::1.2.3.256]\r\n", 400, .invalidHost),
  .fields("IPv6 with a zone", "Host: [fe80::1%25eth0]\r\n", 400, .invalidHost),
  .fields("text after IPv6", "Host: [::1]a\r\n", 400, .invalidHost),
  .fields("NUL in a value", "Host: a\r\nX: a\0b\r\n", 400, .invalidByte),
  .fields("a control byte in a value", "Host: a\r\nX: a\u{1}b\r\n", 400, .invalidByte),
  .fields("ESC in a value", "Host: a\r\nX: \u{1B}[0m\r\n", 400, .invalidByte),
  .fields("DEL in a value", "Host: a\r\nX: \u{7F}\r\n", 400, .invalidByte),
  .fields("CR in a value", "Host: a\r\nX: a\rb\r\n", 400, .bareCarriageReturn),
  .fields("LF in a value", "Host: a\r\nX: a\nb\r\n", 400, .bareLineFeed),
  .fields("a field line that ends in LF", "Host: a\nX: b\r\n", 400, .bareLineFeed),
  RefusedRequest("an empty line that is LF", "GET / HTTP/1.1\r\nHost: a\r\n\n", 400, .bareLineFeed),
  .fields("a space before the colon", "Host : a\r\n", 400, .whitespaceBeforeColon),
  .fields("a tab before the colon", "Host: a\r\nX\t: a\r\n", 400, .whitespaceBeforeColon),
  .fields("a folded field", "Host: a\r\nX: a\r\n b\r\n", 400, .foldedField),
  .fields("a field folded with a tab", "Host: a\r\nX: a\r\n\tb\r\n", 400, .foldedField),
  .fields("white space before the first field", " Host: a\r\n", 400, .foldedField),
  .fields("a line of white space", "Host: a\r\n \r\n", 400, .foldedField),
  .fields("a line without a colon", "Host: a\r\nX\r\n", 400, .missingColon),
  .fields("an empty name", "Host: a\r\n: b\r\n", 400, .invalidFieldName),
  .fields("a space in a name", "Host: a\r\nX Y: b\r\n", 400, .invalidFieldName),
  .fields("brackets in a name", "Host: a\r\nX(Y): b\r\n", 400, .invalidFieldName),
  .fields("a letter above 0x7F in a name", "Host: a\r\nÜ: b\r\n", 400, .invalidFieldName),
  .fields("another expectation", "Host: a\r\nExpect: 200-ok\r\n", 417, .unknownExpectation),
  .fields("another expectation beside", "Host: a\r\nExpect: 100-continue, more\r\n", 417, .unknownExpectation),
]

private let framingRefusals: [RefusedRequest] = [
  .framing("Content-Length with +", "Content-Length: +5\r\n", 400, .invalidContentLength),
  .framing("Content-Length with -", "Content-Length: -5\r\n", 400, .invalidContentLength),
  .framing("Content-Length with a letter", "Content-Length: 5x\r\n", 400, .invalidContentLength),
  .framing("a list of equal lengths", "Content-Length: 5, 5\r\n", 400, .invalidContentLength),
  .framing("a list of lengths", "Content-Length: 5, 6\r\n", 400, .invalidContentLength),
  .framing("an empty Content-Length", "Content-Length:\r\n", 400, .invalidContentLength),
  .framing("a hexadecimal Content-Length", "Content-Length: 0x5\r\n", 400, .invalidContentLength),
  .framing("a Content-Length with a space", "Content-Length: 5 5\r\n", 400, .invalidContentLength),
  .framing("a Content-Length with a dot", "Content-Length: 5.0\r\n", 400, .invalidContentLength),
  .framing("a Content-Length in quotes", "Content-Length: \"5\"\r\n", 400, .invalidContentLength),
  .framing("Arabic digits", "Content-Length: ٥\r\n", 400, .invalidContentLength),
  .framing("two lengths", "Content-Length: 5\r\nContent-Length: 6\r\n", 400, .repeatedContentLength),
  .framing("two equal lengths", "Content-Length: 5\r\ncontent-length: 5\r\n", 400, .repeatedContentLength),
  .framing("a length above Int64", "Content-Length: 9223372036854775808\r\n", 413, .contentLengthTooLarge),
  .framing(
    "both framings", "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n", 400, .contentLengthWithTransferEncoding),
  .framing(
    "both framings, length first", "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n", 400,
    .contentLengthWithTransferEncoding),
  RefusedRequest(
    "Transfer-Encoding in 1.0", "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n", 400,
    .transferEncodingInHTTP10),
  .framing("gzip alone", "Transfer-Encoding: gzip\r\n", 400, .chunkedNotFinal),
  .framing("identity", "Transfer-Encoding: identity\r\n", 400, .chunkedNotFinal),
  .framing("chunked not final", "Transfer-Encoding: chunked, gzip\r\n", 400, .chunkedNotFinal),
  .framing(
    "chunked not final over two lines", "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n", 400,
    .chunkedNotFinal),
  .framing("gzip, then chunked", "Transfer-Encoding: gzip, chunked\r\n", 501, .unsupportedTransferCoding),
  .framing("chunked twice", "Transfer-Encoding: chunked, chunked\r\n", 400, .malformedTransferEncoding),
  .framing(
    "chunked twice over two lines", "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n", 400,
    .malformedTransferEncoding),
  .framing("chunked with a parameter", "Transfer-Encoding: chunked;a=b\r\n", 400, .malformedTransferEncoding),
  .framing("an empty coding", "Transfer-Encoding: ,chunked\r\n", 400, .malformedTransferEncoding),
  .framing("an empty Transfer-Encoding", "Transfer-Encoding:\r\n", 400, .malformedTransferEncoding),
  .framing("chunked in quotes", "Transfer-Encoding: \"chunked\"\r\n", 400, .malformedTransferEncoding),
  .framing("a comma in quotes", "Transfer-Encoding: gzip;a=\",chunked\"\r\n", 400, .malformedTransferEncoding),
  .framing("a misspelled chunked", "Transfer-Encoding: xchunked\r\n", 400, .chunkedNotFinal),
  .framing("chunked with a vertical tab", "Transfer-Encoding: \u{B}chunked\r\n", 400, .invalidByte),
]

private let chunkRefusals: [RefusedRequest] = [
  .chunks("a chunk without size", "\r\n", 400, .malformedChunkSize),
  .chunks("a size with 0x", "0x5\r\nhello\r\n0\r\n\r\n", 400, .malformedChunkSize),
  .chunks("a size with +", "+5\r\nhello\r\n0\r\n\r\n", 400, .malformedChunkSize),
  .chunks("a negative size", "-1\r\n", 400, .malformedChunkSize),
  .chunks("a space before the size", " 5\r\nhello\r\n", 400, .malformedChunkSize),
  .chunks("a space after the size", "5 \r\nhello\r\n", 400, .malformedChunkSize),
  .chunks("a letter that is no digit", "5g\r\nhello\r\n", 400, .malformedChunkSize),
  .chunks("an extension without name", "5;\r\nhello\r\n", 400, .malformedChunkSize),
  .chunks("an extension without value", "5;a=\r\nhello\r\n", 400, .malformedChunkSize),
  .chunks("an extension with an open quote", "5;a=\"b\r\nhello\r\n", 400, .malformedChunkSize),
  .chunks("an extension whose quote is escaped", "5;a=\"b\\\"\r\nhello\r\n", 400, .malformedChunkSize),
  .chunks("an extension without semicolon", "5 a\r\nhello\r\n", 400, .malformedChunkSize),
  .chunks("a size above Int64", "8000000000000000\r\n", 413, .chunkTooLarge),
  .chunks("a size far above Int64", "fffffffffffffffffffff\r\n", 413, .chunkTooLarge),
  .chunks("a size line that ends in LF", "5\nhello\r\n0\r\n\r\n", 400, .bareLineFeed),
  .chunks("an extension that ends in LF", "5;a\nhello\r\n0\r\n\r\n", 400, .bareLineFeed),
  .chunks("CR in the size line", "5\rhello\r\n0\r\n\r\n", 400, .bareCarriageReturn),
  .chunks("data longer than its size", "5\r\nhello!\r\n0\r\n\r\n", 400, .missingChunkEnd),
  .chunks("data that ends in LF", "5\r\nhello\n0\r\n\r\n", 400, .bareLineFeed),
  .chunks("data without CRLF", "5\r\nhello0\r\n\r\n", 400, .missingChunkEnd),
  .chunks("a trailer without colon", "0\r\nX\r\n\r\n", 400, .missingColon),
  .chunks("a folded trailer", "0\r\nX: a\r\n b\r\n\r\n", 400, .foldedField),
  .chunks("a trailer with a control byte", "0\r\nX: \u{1}\r\n\r\n", 400, .invalidByte),
  .chunks("Content-Length among the trailers", "0\r\nContent-Length: 5\r\n\r\n", 400, .forbiddenTrailer),
  .chunks("Transfer-Encoding among the trailers", "0\r\nTransfer-Encoding: x\r\n\r\n", 400, .forbiddenTrailer),
  .chunks("Host among the trailers", "0\r\nHost: b\r\n\r\n", 400, .forbiddenTrailer),
]
