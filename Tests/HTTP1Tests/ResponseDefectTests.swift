import BridgeRuntime
import HTTP1
import Testing

/// A response that breaks a rule.
struct DefectiveResponse: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let text: String
  let defect: MessageDefect

  init(_ what: String, _ text: String, _ defect: MessageDefect) {
    testDescription = what
    self.text = text
    self.defect = defect
  }
}

private let ok = "HTTP/1.1 200 OK\r\n"
private let chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"

private let defectiveResponses: [DefectiveResponse] = [
  .init("HTTP/2.0", "HTTP/2.0 200 OK\r\n\r\n", .unsupportedVersion),
  .init("another protocol", "ICY 200 OK\r\n\r\n", .malformedVersion),
  .init("no status", "HTTP/1.1\r\n\r\n", .malformedStatusLine),
  .init("an empty line before the status line", "\r\nHTTP/1.1 200 OK\r\n\r\n", .malformedStatusLine),
  .init("a status of two digits", "HTTP/1.1 20 OK\r\n\r\n", .malformedStatusLine),
  .init("a status of four digits", "HTTP/1.1 2000 OK\r\n\r\n", .malformedStatusLine),
  .init("a status below 100", "HTTP/1.1 099 OK\r\n\r\n", .malformedStatusLine),
  .init("a status above 599", "HTTP/1.1 600 OK\r\n\r\n", .malformedStatusLine),
  .init("a status with a sign", "HTTP/1.1 +20 OK\r\n\r\n", .malformedStatusLine),
  .init("two spaces", "HTTP/1.1  200 OK\r\n\r\n", .malformedStatusLine),
  .init("a control byte in the reason", "HTTP/1.1 200 O\u{1}K\r\n\r\n", .invalidByte),
  .init("LF", "HTTP/1.1 200 OK\n\n", .bareLineFeed),
  .init("CR", "HTTP/1.1 200 OK\rX: y\r\n\r\n", .bareCarriageReturn),
  .init("a folded field", "\(ok)X: a\r\n b\r\n\r\n", .foldedField),
  .init("a space before the colon", "\(ok)X : a\r\n\r\n", .whitespaceBeforeColon),
  .init("a line without colon", "\(ok)X\r\n\r\n", .missingColon),
  .init("two lengths", "\(ok)Content-Length: 5\r\nContent-Length: 5\r\n\r\n", .repeatedContentLength),
  .init("a list of lengths", "\(ok)Content-Length: 5, 5\r\n\r\n", .invalidContentLength),
  .init("a length above Int64", "\(ok)Content-Length: 9999999999999999999\r\n\r\n", .contentLengthTooLarge),
  .init(
    "both framings", "\(ok)Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n",
    .contentLengthWithTransferEncoding),
  .init(
    "Transfer-Encoding in 1.0", "HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", .transferEncodingInHTTP10),
  .init("gzip alone", "\(ok)Transfer-Encoding: gzip\r\n\r\n", .chunkedNotFinal),
  .init("gzip, then chunked", "\(ok)Transfer-Encoding: gzip, chunked\r\n\r\n", .unsupportedTransferCoding),
  .init("a wrong chunk size", "\(chunked)x\r\n", .malformedChunkSize),
  .init("a chunk without its end", "\(chunked)1\r\nab", .missingChunkEnd),
  .init("a forbidden trailer", "\(chunked)0\r\nContent-Length: 1\r\n\r\n", .forbiddenTrailer),
]

private let wellFormedResponses: [String] = [
  "\(ok)Content-Length: 5\r\n\r\nhello", "\(ok)\r\nhello", "HTTP/1.0 200\r\n\r\nhello",
  "\(chunked)5;a=b\r\nhello\r\n0\r\nX: y\r\n\r\n",
  "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Hints\r\nLink: a\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n",
  "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n",
  "HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\nETag: \"a\"\r\n\r\nHTTP/1.1 200 OK\r\n\r\n",
]

@Suite struct ResponseDefectTests {
  @Test(arguments: defectiveResponses)
  func `a response that breaks a rule fails, and nothing after it is read`(_ response: DefectiveResponse) {
    #expect(clientEvents(response.text + ok + "\r\n").suffix(2) == [.fail(response.defect), .closed])
  }

  @Test(arguments: [
    ("HTTP/1.1 200 OK\nX: y\nContent-Length: 2\n\nhi", "HTTP/1.1 200 OK\r\nX: y\r\nContent-Length: 2\r\n\r\nhi"),
    ("\(ok)X : a\r\nContent-Length:0\r\n\r\n", "\(ok)X: a\r\nContent-Length: 0\r\n\r\n"),
    ("\(ok)X: a\r\n \t b\r\nContent-Length: 0\r\n\r\n", "\(ok)X: a b\r\nContent-Length: 0\r\n\r\n"),
    ("\(ok)Content-Length: 2\r\nContent-Length: 2\r\n\r\nhi", "\(ok)Content-Length: 2\r\n\r\nhi"),
    ("\(ok)Content-Length: 2, 2\r\n\r\nhi", "\(ok)Content-Length: 2\r\n\r\nhi"),
    ("HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n2\nhi\n0\n\n", "\(chunked)2\r\nhi\r\n0\r\n\r\n"),
  ])
  func `a lenient reader accepts the defects that browsers accept`(_ text: String, _ right: String) {
    let bytes = Array(text.utf8)
    for middle in 0...bytes.count {
      let events = clientEvents([Array(bytes[..<middle]), Array(bytes[middle...])], isLenient: true)
      #expect(mended(events) == clientEvents(right))
      #expect(events != clientEvents(right), "The head must say that it was mended.")
    }
  }

  /// The events without what heads say of defects.
  private func mended(_ events: [ClientEvent]) -> [ClientEvent] {
    events.map { event in
      guard case .head(let head) = event else { return event }
      let same = try? ResponseHead(
        status: head.status, version: head.version, fields: head.fields, inResponseTo: .get)
      return same.map { .head($0) } ?? event
    }
  }

  @Test(arguments: [
    "\(ok)Content-Length: 2\r\nContent-Length: 3\r\n\r\n", "\(ok)Content-Length: 2, 3\r\n\r\n", "\(ok) folded\r\n\r\n",
    "\(ok)X\r\n\r\n",
    "HTTP/1.1 200 OK\rX: y\r\n\r\n", "\(ok)Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n",
  ])
  func `a lenient reader refuses ambiguous responses`(_ text: String) {
    let events = clientEvents(text, isLenient: true)
    #expect(events.count == 2 && events.last == .closed)
  }

  @Test(arguments: wellFormedResponses + defectiveResponses.map(\.text))
  func `responses have the same outcome in chunks of any size`(_ text: String) {
    let bytes = Array(text.utf8)
    for end in ConnectionEnd.allCases {
      for offersUpgrade in [false, true] {
        let whole = clientEvents([bytes], offersUpgrade: offersUpgrade, end: end)
        #expect(clientEvents(bytes.map { [$0] }, offersUpgrade: offersUpgrade, end: end) == whole)
        for index in bytes.indices {
          let pieces = [Array(bytes[..<index]), Array(bytes[index...])]
          #expect(clientEvents(pieces, offersUpgrade: offersUpgrade, end: end) == whole)
        }
      }
    }
  }

  @Test func `a response head at the limit is accepted, and one byte more fails`() {
    var limits = HTTP1Limits()
    let response = "HTTP/1.1 204 No Content\r\nX: y\r\n\r\n"
    limits.headBytes = response.utf8.count
    #expect(clientEvents(response, limits: limits).last == .idle)
    limits.headBytes -= 1
    #expect(clientEvents(response, limits: limits) == [.fail(.headTooLarge), .closed])
    let line = "HTTP/1.1 204 \(String(repeating: "x", count: 8192 - 13))"
    #expect(clientEvents(line + "\r\n\r\n").last == .idle)
    #expect(clientEvents(line + "x\r\n\r\n") == [.fail(.headTooLarge), .closed])
    let fields = String(repeating: "X: y\r\n", count: 200)
    #expect(clientEvents("HTTP/1.1 204 No Content\r\n\(fields)\r\n").last == .idle)
    #expect(clientEvents("HTTP/1.1 204 No Content\r\n\(fields)X: y\r\n\r\n") == [.fail(.tooManyFields), .closed])
  }

  @Test func `damaged responses have the same outcome in chunks of any size, and never crash`() {
    var generator = SplitMix64(seed: 20_260_102)
    let samples = (wellFormedResponses + defectiveResponses.map(\.text)).map { Array($0.utf8) }
    for _ in 0..<4000 {
      let bytes = mutation(of: samples, with: &generator)
      let end = ConnectionEnd.allCases.randomElement(using: &generator) ?? .none
      let offersUpgrade = Bool.random(using: &generator)
      let whole = clientEvents([bytes], offersUpgrade: offersUpgrade, end: end)
      let pieces = randomPieces(of: bytes, with: &generator)
      #expect(clientEvents(pieces, offersUpgrade: offersUpgrade, end: end) == whole)
      #expect(whole.count { if case .fail = $0 { true } else { false } } <= 1)
    }
  }
}
