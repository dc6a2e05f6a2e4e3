import HTTP1
import HTTPTypes
import Testing

@testable import WebServer

@Suite struct HTTP2RequestTests {
  private let usual = [(":method", "GET"), (":scheme", "https"), (":authority", "shop.example"), (":path", "/a?b=c")]

  private func request(
    _ fields: [(String, String)], hasBody: Bool = false, limits: HTTP1Limits = .default
  ) throws(MessageDefect) -> RequestHead? {
    let fields = fields.map { HTTP2Field(name: Array($0.0.utf8), value: Array($0.1.utf8)) }
    return try HTTP2Request.head(fields, hasBody: hasBody, limits: limits)
  }

  private func lines(_ head: RequestHead?) -> [String] {
    head?.fields.map { "\($0.name.rawName): \($0.value)" } ?? []
  }

  @Test func `an HTTP/2 request becomes an HTTP/1 head with its fields in order`() throws {
    let head = try #require(try request(usual + [("accept", "*/*"), ("x-test", " y\t")]))
    #expect(head.method == .get && head.target == .origin(path: "/a", query: "b=c") && head.version == .http11)
    #expect(lines(head) == ["Host: shop.example", "accept: */*", "x-test: y"])
  }

  @Test func `several cookie fields are joined into one`() throws {
    #expect(try request(usual + [("cookie", "a=1"), ("cookie", "b=2")])?.fields[.cookie] == "a=1; b=2")
  }

  @Test func `a body of unknown length is read as chunked`() throws {
    #expect(try request(usual, hasBody: true)?.bodyFraming == .chunked)
    #expect(try request(usual + [("content-length", "5")], hasBody: true)?.bodyFraming == .length(5))
    #expect(try request(usual)?.bodyFraming == BodyFraming.none)
  }

  @Test func `a host may replace the authority, and one that differs from it is refused`() throws {
    let without = usual.filter { $0.0 != ":authority" }
    #expect(try request(without + [("host", "shop.example")])?.host == "shop.example")
    #expect(try request(usual + [("host", "shop.example")]) != nil)
    #expect(try request(usual + [("host", "other.example")]) == nil)
    #expect(try request(without) == nil)
  }

  @Test(arguments: ["a\r\nX-Smuggled: b", "a\nb", "a\0b"])
  func `line breaks and NUL in fields and paths are refused`(value: String) throws {
    #expect(try request(usual + [("x-test", value)]) == nil)
    #expect(try request([(":method", "GET"), (":authority", "shop.example"), (":path", value)]) == nil)
  }

  @Test func `a path with a space and a CONNECT are refused`() throws {
    #expect(try request([(":method", "GET"), (":authority", "shop.example"), (":path", "/ HTTP/1.1")]) == nil)
    #expect(try request([(":method", "CONNECT"), (":authority", "shop.example:443")]) == nil)
  }

  @Test func `fields and target are checked by the rules of HTTP/1`() {
    func defect(_ fields: [(String, String)], hasBody: Bool = true) -> MessageDefect? {
      do throws(MessageDefect) {
        _ = try request(fields, hasBody: hasBody)
        return nil
      } catch {
        return error
      }
    }
    let get = usual.filter { $0.0 != ":path" }
    #expect(defect(usual.filter { $0.0 != ":authority" } + [(":authority", "a b")]) == .invalidHost)
    #expect(defect(usual + [("content-length", "1"), ("content-length", "1")]) == .repeatedContentLength)
    #expect(defect(usual + [("content-length", "-1")]) == .invalidContentLength)
    #expect(defect(usual + [("expect", "the-best")]) == .unknownExpectation)
    #expect(defect(get + [(":path", "a")]) == .invalidTarget)
    #expect(defect(get + [(":path", "/ä")]) == .invalidByte)
    #expect(defect(get + [(":path", "/" + String(repeating: "a", count: 8_179))]) == .requestLineTooLong)
    #expect(defect(get + [(":path", "/" + String(repeating: "a", count: 8_178))]) == nil)
  }

  /// The fields of a section as nghttp2 gets them.
  private func pairs(_ section: HTTP2FieldSection) -> [String] {
    section.withPointers { pairs, count in
      UnsafeBufferPointer(start: pairs, count: count).map { pair in
        let name = String(decoding: UnsafeBufferPointer(start: pair.name, count: pair.namelen), as: UTF8.self)
        let value = String(decoding: UnsafeBufferPointer(start: pair.value, count: pair.valuelen), as: UTF8.self)
        return "\(name)=\(value)"
      }
    }
  }

  private func sent(_ target: String, method: HTTPRequest.Method = .get, _ fields: HTTPFields = [:]) throws -> [String]?
  {
    var fields = fields
    fields[.hostField] = "shop.example:8443"
    let target = try #require(RequestTarget(target, method: method))
    return HTTP2FieldSection(try RequestHead(method: method, target: target, fields: fields)).map(pairs)
  }

  @Test func `an outgoing HTTP/2 request has its pseudo-header fields first and no host`() throws {
    let name = try #require(HTTPField.Name("X-Test"))
    #expect(
      try sent("/a?b", [name: "y"]) == [
        ":method=GET", ":scheme=https", ":authority=shop.example:8443", ":path=/a?b", "x-test=y",
      ])
    #expect(try sent("*", method: .options)?.last == ":path=*")
    #expect(try sent("https://shop.example:8443", method: .options)?.last == ":path=/")
    #expect(try sent("shop.example:443", method: .connect) == nil)
  }

  @Test func `only trailers of the TE field is sent over HTTP/2`() throws {
    #expect(try sent("/", [.te: "deflate, Trailers"])?.last == "te=trailers")
    #expect(try sent("/", [.te: "deflate"])?.last == ":path=/")
  }

  @Test func `connection fields are left out of an HTTP/2 response`() throws {
    let fields: HTTPFields = [.connection: "close", .transferEncoding: "chunked", .contentType: "text/html"]
    #expect(pairs(HTTP2FieldSection(.ok, fields)) == [":status=200", "content-type=text/html"])
  }

  @Test func `a control byte in a value is sent as a space`() throws {
    let name = try #require(HTTPField.Name("X-Test"))
    let fields = HTTPFields(inOrder: [HTTPField(name: name, value: Array("a\u{1}b".utf8))])
    #expect(pairs(HTTP2FieldSection(trailers: fields)) == ["x-test=a b"])
  }
}
