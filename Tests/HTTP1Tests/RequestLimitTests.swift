import HTTP1
import Testing

@Suite struct RequestLimitTests {
  private func outcome(_ text: String, _ limits: HTTP1Limits) -> [ServerEvent] {
    let events = serverEvents(text, limits: limits)
    #expect(serverEventsByteByByte(text, limits: limits) == events)
    return events
  }

  private func isRefused(_ events: [ServerEvent], _ status: Int, _ defect: MessageDefect) -> Bool {
    events.suffix(2) == [.refuse(.init(code: status), defect), .closed]
  }

  @Test func `a request line at the limit is accepted, and one byte more is 414`() {
    let limits = HTTP1Limits()
    let fixed = "GET / HTTP/1.1".utf8.count
    func request(_ length: Int) -> String {
      "GET /\(String(repeating: "a", count: length - fixed)) HTTP/1.1\r\nHost: a\r\n\r\n"
    }
    #expect(heads(outcome(request(8192), limits)).count == 1)
    #expect(isRefused(outcome(request(8193), limits), 414, .requestLineTooLong))
    let endless = String(repeating: "a", count: 8193)
    #expect(isRefused(outcome(endless, limits), 414, .requestLineTooLong))
  }

  @Test func `a request head at the limit is accepted, and one byte more is 431`() {
    let limits = HTTP1Limits()
    let fixed = "GET / HTTP/1.1\r\nHost: a\r\nX: \r\n\r\n".utf8.count
    func request(_ length: Int) -> String {
      "GET / HTTP/1.1\r\nHost: a\r\nX: \(String(repeating: "x", count: length - fixed))\r\n\r\n"
    }
    #expect(heads(serverEvents(request(65_536), limits: limits)).count == 1)
    #expect(isRefused(outcome(request(65_537), limits), 431, .headTooLarge))
  }

  @Test func `the limit of a head includes every line`() {
    var limits = HTTP1Limits()
    let request = "GET / HTTP/1.1\r\nHost: a\r\nX: \r\nY: 1\r\n\r\n"
    limits.headBytes = request.utf8.count
    #expect(heads(outcome(request, limits)).count == 1)
    limits.headBytes -= 1
    #expect(isRefused(outcome(request, limits), 431, .headTooLarge))
  }

  @Test func `200 fields are accepted, and 201 are 431`() {
    func request(_ count: Int) -> String {
      "GET / HTTP/1.1\r\nHost: a\r\n" + (1..<count).map { "X\($0): y\r\n" }.joined() + "\r\n"
    }
    #expect(heads(outcome(request(200), .default)).first?.fields.count == 200)
    #expect(isRefused(outcome(request(201), .default), 431, .tooManyFields))
  }

  @Test func `65,535 fields are refused whatever the limits are`() {
    var limits = HTTP1Limits()
    limits.headBytes = .max
    limits.fieldCount = .max
    let request = "GET / HTTP/1.1\r\nHost: a\r\n" + String(repeating: "X:\r\n", count: 65_534)
    #expect(isRefused(serverEvents(request, limits: limits), 431, .tooManyFields))
  }

  @Test func `four empty lines before a request are accepted, and five are refused`() {
    let request = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"
    let four = String(repeating: "\r\n", count: 4)
    #expect(heads(outcome(four + request + four + request, .default)).count == 2)
    #expect(isRefused(outcome(four + "\r\n", .default), 400, .tooManyEmptyLines))
  }

  private static let chunkedHead = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"

  @Test func `a chunk line at the limit is accepted, and one byte more is refused`() {
    func request(_ length: Int) -> String {
      "\(Self.chunkedHead)1;\(String(repeating: "e", count: length - 2))\r\na\r\n0\r\n\r\n"
    }
    #expect(outcome(request(1024), .default).contains(.body("a")))
    #expect(isRefused(outcome(request(1025), .default), 400, .chunkLineTooLong))
  }

  @Test func `the limit of chunk extensions covers all chunks of a body`() {
    func request(_ chunks: Int) -> String {
      Self.chunkedHead + String(repeating: "1;\(String(repeating: "e", count: 511))\r\na\r\n", count: chunks)
        + "0\r\n\r\n"
    }
    #expect(outcome(request(32), .default).contains(.end(trailers: [])))
    #expect(isRefused(outcome(request(33), .default), 400, .chunkExtensionsTooLong))
  }

  @Test func `trailers at the limit are accepted, and one byte or field more is 431`() {
    func request(bytes: Int) -> String {
      "\(Self.chunkedHead)0\r\nX: \(String(repeating: "x", count: bytes - 7))\r\n\r\n"
    }
    #expect(heads(outcome(request(bytes: 16_384), .default)).count == 1)
    #expect(outcome(request(bytes: 16_384), .default).last == .waitsForBytes)
    #expect(isRefused(outcome(request(bytes: 16_385), .default), 431, .trailersTooLarge))
    let fields = String(repeating: "X: y\r\n", count: 200)
    #expect(outcome("\(Self.chunkedHead)0\r\n\(fields)\r\n", .default).last == .waitsForBytes)
    #expect(isRefused(outcome("\(Self.chunkedHead)0\r\n\(fields)X: y\r\n\r\n", .default), 431, .tooManyFields))
  }

  @Test func `the largest chunk size is read without allocating its data`() {
    #expect(outcome("\(Self.chunkedHead)7fffffffffffffff\r\nab", .default).suffix(2) == [.body("ab"), .waitsForBytes])
  }
}
