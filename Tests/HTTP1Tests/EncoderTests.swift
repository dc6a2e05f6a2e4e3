import HTTP1
import HTTPTypes
import Testing

@Suite struct EncoderTests {
  private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  @Test func `a response head is a status line, the fields in order and an empty line`() {
    var fields: HTTPFields = [.contentType: "text/plain"]
    fields.append(HTTPField(name: .setCookie, value: "a=b"))
    fields.append(HTTPField(name: .contentLength, value: "0"))
    fields.append(HTTPField(name: .setCookie, value: "c=d"))
    #expect(
      text(HeadEncoder.encode(.notFound, fields: fields))
        == "HTTP/1.1 404 Not Found\r\nContent-Type: text/plain\r\nSet-Cookie: a=b\r\nContent-Length: 0\r\n"
        + "Set-Cookie: c=d\r\n\r\n")
  }

  @Test func `an informational head and a status without a reason are encoded`() {
    #expect(text(HeadEncoder.encode(.continue)) == "HTTP/1.1 100 Continue\r\n\r\n")
    #expect(text(HeadEncoder.encode(.init(code: 7))) == "HTTP/1.1 007 \r\n\r\n")
  }

  @Test func `line breaks and control bytes are not written into a response head`() throws {
    let name = try #require(HTTPField.Name("X"))
    var fields = HTTPFields()
    fields.append(HTTPField(name: name, value: "a\r\nSet-Cookie: evil=1\0"))
    fields.append(HTTPField(name: name, lenientValue: [0x61, 0x0D, 0x0A, 0x1B, 0x7F, 0x00, 0x09, 0x62]))
    let status = HTTPResponse.Status(code: 200, reasonPhrase: "OK\r\nA: b\u{1}日é")
    let bytes = HeadEncoder.encode(status, fields: fields)
    #expect(bytes.count { $0 == 0x0A } == 4)
    #expect(bytes.allSatisfy { $0 >= 0x20 && $0 != 0x7F || [0x09, 0x0A, 0x0D].contains($0) })
    #expect(bytes.contains(0xE9))
  }

  @Test func `a request head is written in a form that the server's parser accepts`() throws {
    let target = try #require(RequestTarget("/a%20b?c", method: .put))
    let fields: HTTPFields = [.hostField: "a", .contentLength: "0"]
    let bytes = try HeadEncoder.encode(.put, target, fields: fields)
    #expect(text(bytes) == "PUT /a%20b?c HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n")
    #expect(heads(serverEvents([bytes])).first?.fields == fields)
  }

  @Test func `an invalid request target is not written`() throws {
    let authority = try #require(Authority("a"))
    for target in [
      RequestTarget.origin(path: "/ HTTP/1.1\r\nHost: b\r\n\r\n", query: nil), .origin(path: "a", query: nil),
      .origin(path: "/a?b", query: nil), .origin(path: "/a", query: "b#c"), .origin(path: "", query: nil), .asterisk,
      .authority(authority), .absolute(scheme: "ftp", authority: authority, path: "/", query: nil),
    ] {
      #expect(throws: MessageDefect.invalidTarget) { try HeadEncoder.encode(.get, target, fields: [:]) }
    }
  }

  @Test func `a chunk begins with its size, and empty data makes no chunk`() {
    #expect(text(ChunkedEncoder.chunk(Array("hello world, hello".utf8))) == "12\r\nhello world, hello\r\n")
    #expect(ChunkedEncoder.chunk([]) == [])
    #expect(text(ChunkedEncoder.end()) == "0\r\n\r\n")
  }

  @Test func `trailers follow the last chunk, without those that frame or route`() throws {
    let name = try #require(HTTPField.Name("X-Sum"))
    let trailers: HTTPFields = [
      name: "1", .contentLength: "5", .hostField: "b", .transferEncoding: "chunked", name: "2",
    ]
    #expect(text(ChunkedEncoder.end(trailers: trailers)) == "0\r\nX-Sum: 1\r\nX-Sum: 2\r\n\r\n")
  }

  @Test func `a chunked body is read back as it was written`() {
    let head = Array("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n".utf8)
    let body = (0..<20).map { String(repeating: "x", count: $0 * 37) }
    let bytes = head + body.flatMap { ChunkedEncoder.chunk(Array($0.utf8)) } + ChunkedEncoder.end(trailers: [.age: "1"])
    #expect(serverEvents([bytes]).dropFirst() == [.body(body.joined()), .end(trailers: ["Age: 1"]), .waitsForBytes])
  }
}
