import HTTP1
import HTTPTypes
import Testing

@testable import WebServer

@Suite struct HTTP2RequestTests {
  private let usual = [(":method", "GET"), (":scheme", "https"), (":authority", "shop.example"), (":path", "/a?b=c")]

  private func request(_ fields: [(String, String)], hasBody: Bool = false) -> HTTP2Request? {
    HTTP2Request(fields.map { HTTP2Field(name: Array($0.0.utf8), value: Array($0.1.utf8)) }, hasBody: hasBody)
  }

  private func lines(_ request: HTTP2Request?) -> [String] {
    request.map {
      String(decoding: $0.head, as: UTF8.self).split(separator: "\r\n", omittingEmptySubsequences: false).map(
        String.init)
    } ?? []
  }

  @Test func `a request becomes a head of HTTP/1 with its fields in order`() {
    let head = lines(request(usual + [("accept", "*/*"), ("x-test", "y")]))
    #expect(head == ["GET /a?b=c HTTP/1.1", "host: shop.example", "accept: */*", "x-test: y", "", ""])
  }

  @Test func `cookies of several fields are one field`() {
    #expect(lines(request(usual + [("cookie", "a=1"), ("cookie", "b=2")])).contains("cookie: a=1; b=2"))
  }

  @Test func `a body of unknown length comes in chunks`() throws {
    #expect(lines(request(usual, hasBody: true)).contains("transfer-encoding: chunked"))
    let known = try #require(request(usual + [("content-length", "5")], hasBody: true))
    #expect(!known.isChunked && !lines(known).contains("transfer-encoding: chunked"))
  }

  @Test func `a host alone names the server and another host than the authority is refused`() {
    let without = usual.filter { $0.0 != ":authority" }
    #expect(lines(request(without + [("host", "shop.example")])).contains("host: shop.example"))
    #expect(request(usual + [("host", "shop.example")]) != nil)
    #expect(request(usual + [("host", "other.example")]) == nil)
    #expect(request(without) == nil)
  }

  @Test(arguments: ["a\r\nX-Smuggled: b", "a\nb", "a\0b"])
  func `a byte that would end a line is refused`(value: String) {
    #expect(request(usual + [("x-test", value)]) == nil)
    #expect(request([(":method", "GET"), (":authority", "shop.example"), (":path", value)]) == nil)
  }

  @Test func `a path with a space and a CONNECT are refused`() {
    #expect(request([(":method", "GET"), (":authority", "shop.example"), (":path", "/ HTTP/1.1")]) == nil)
    #expect(request([(":method", "CONNECT"), (":authority", "shop.example:443")]) == nil)
  }

  private func sent(_ target: String, method: HTTPRequest.Method = .get, _ fields: HTTPFields = [:]) throws -> [String]?
  {
    var fields = fields
    fields[.hostField] = "shop.example:8443"
    let target = try #require(RequestTarget(target, method: method))
    return [HTTP2Field](try RequestHead(method: method, target: target, fields: fields))?.map {
      "\(String(decoding: $0.name, as: UTF8.self))=\(String(decoding: $0.value, as: UTF8.self))"
    }
  }

  @Test func `a request for a server has its pseudo fields first and no host`() throws {
    let name = try #require(HTTPField.Name("X-Test"))
    #expect(
      try sent("/a?b", [name: "y"]) == [
        ":method=GET", ":scheme=https", ":authority=shop.example:8443", ":path=/a?b", "x-test=y",
      ])
    #expect(try sent("*", method: .options)?.last == ":path=*")
    #expect(try sent("https://shop.example:8443", method: .options)?.last == ":path=/")
    #expect(try sent("shop.example:443", method: .connect) == nil)
  }

  @Test func `of TE only trailers go over HTTP/2`() throws {
    #expect(try sent("/", [.te: "deflate, Trailers"])?.last == "te=trailers")
    #expect(try sent("/", [.te: "deflate"])?.last == ":path=/")
  }

  @Test func `fields of the connection stay out of a response`() throws {
    let fields: HTTPFields = [.connection: "close", .transferEncoding: "chunked", .contentType: "text/html"]
    let names = [HTTP2Field](fields).map { String(decoding: $0.name, as: UTF8.self) }
    #expect(names == ["content-type"])
  }
}
