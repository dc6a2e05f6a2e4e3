import HTTP1
import HTTPTypes
import Testing

@Suite struct RequestHeadTests {
  @Test(arguments: acceptedRequests)
  func `a request that follows every rule is accepted`(_ request: String) {
    let events = serverEvents(request)
    #expect(!heads(events).isEmpty)
    #expect(!events.contains { if case .refuse = $0 { true } else { false } })
    #expect(events.contains { if case .end = $0 { true } else { false } })
  }

  @Test func `method, target, version and fields are read as they were written`() throws {
    let head = try acceptedHead("Get /a%20b?c HTTP/1.1\r\nHost: a:8\r\n\r\n")
    #expect(head.method.rawValue == "Get")
    #expect(head.target == .origin(path: "/a%20b", query: "c"))
    #expect(head.version == .http11)
    #expect(head.host == "a:8")
    #expect(head.bodyFraming == .none)
  }

  @Test func `fields retain their order, repetitions, spelling of names and bytes`() throws {
    var bytes = Array("GET / HTTP/1.1\r\nhOST: a\r\nX-b: 1\r\nCOOKIE: c=d; e=f\r\nx-B: 2\r\nCookie: g\r\nLatin: ".utf8)
    bytes += [0x80, 0xFF, 0x20, 0xE9, 0x09, 0x41] + Array("\r\nEmpty:\r\nPadded: \t v w \t\r\n\r\n".utf8)
    let fields = try #require(heads(serverEvents([bytes])).first).fields
    #expect(fields.map(\.name.rawName) == ["hOST", "X-b", "COOKIE", "x-B", "Cookie", "Latin", "Empty", "Padded"])
    #expect(fields.map { $0.withUnsafeBytesOfValue { Array($0) } }[5] == [0x80, 0xFF, 0x20, 0xE9, 0x09, 0x41])
    #expect(fields.map(\.value)[6...] == ["", "v w"])
    #expect(fields.map(\.value)[2] == "c=d; e=f")
    var expected = Array(
      "HTTP/1.1 200 OK\r\nhOST: a\r\nX-b: 1\r\nCOOKIE: c=d; e=f\r\nx-B: 2\r\nCookie: g\r\nLatin: ".utf8)
    expected += [0x80, 0xFF, 0x20, 0xE9, 0x09, 0x41] + Array("\r\nEmpty: \r\nPadded: v w\r\n\r\n".utf8)
    #expect(HeadEncoder.encode(.ok, fields: fields) == expected)
  }

  @Test(
    arguments: [
      ("/", "/", nil), ("/?", "/", ""), ("/a?b?c", "/a", "b?c"), ("//a", "//a", nil), ("http://h", "/", nil),
      ("HTTP://h?q", "/", "q"), ("https://h:1/p?q", "/p", "q"), ("/%", "/%", nil), ("/a?{|}\\", "/a", "{|}\\"),
    ] as [(String, String, String?)])
  func `a target retains its text and is split into path and query`(_ raw: String, _ path: String, _ query: String?)
    throws
  {
    let target = try acceptedHead("GET \(raw) HTTP/1.1\r\nHost: a\r\n\r\n").target
    #expect(target.rawValue == raw)
    #expect(target.path == path)
    #expect(target.query == query)
  }

  @Test func `the authority of an absolute target wins over the Host field`() throws {
    let head = try acceptedHead("GET http://Right.example:81/ HTTP/1.1\r\nHost: wrong\r\n\r\n")
    #expect(head.host == "Right.example:81")
    #expect(head.authority?.host == "right.example")
    #expect(head.authority?.port == 81)
  }

  @Test func `CONNECT names an authority and OPTIONS may name the server`() throws {
    let connect = try acceptedHead("CONNECT a:443 HTTP/1.1\r\nHost: b\r\n\r\n")
    #expect(connect.host == "a:443" && connect.target.path == nil && connect.target.rawValue == "a:443")
    let options = try acceptedHead("OPTIONS * HTTP/1.1\r\nHost: b\r\n\r\n")
    #expect(options.target == .asterisk && options.target.path == nil && options.target.query == nil)
  }

  @Test func `HTTP/1.0 needs no Host, and a higher minor version is read as 1.1`() throws {
    let old = try acceptedHead("GET / HTTP/1.0\r\n\r\n")
    #expect(old.version == .http10 && old.authority == nil && old.host == nil)
    #expect(try acceptedHead("GET / HTTP/1.7\r\nHost: a\r\n\r\n").version == .http11)
    #expect(HTTPVersion.http10 < .http11)
  }

  @Test(arguments: [
    "a", "a.b-c_d~e", "127.0.0.1", "localhost:", "a:0", "a:65535", "[::]", "[::1]:80", "[1:2:3:4:5:6:7:8]", "[1::8]",
    "[1:2:3:4:5:6:7::]", "[::ffff:1.2.3.4]", "[1:2:3:4:5:6:1.2.3.4]", "%41bc", "a!$&'()*+;=",
  ])
  func `a host with an optional port is a valid authority`(_ text: String) throws {
    #expect(try #require(Authority(text)).rawValue == text)
    #expect(try acceptedHead("GET / HTTP/1.1\r\nHost: \(text)\r\n\r\n").host == text)
  }

  @Test(arguments: [
    ("HTTP/1.1", "", true), ("HTTP/1.1", "Connection: close\r\n", false),
    ("HTTP/1.1", "Connection: x, CLOSE\r\n", false),
    ("HTTP/1.1", "Connection: keep-alive\r\nConnection: close\r\n", false),
    ("HTTP/1.1", "Connection: closed\r\n", true),
    ("HTTP/1.0", "", false), ("HTTP/1.0", "Connection: Keep-Alive\r\n", true),
    ("HTTP/1.0", "Connection: keep-alive, close\r\n", false),
  ])
  func `version and Connection decide whether the connection stays open`(
    _ version: String, _ fields: String, _ isReusable: Bool
  )
    throws
  {
    #expect(try acceptedHead("GET / \(version)\r\nHost: a\r\n\(fields)\r\n").keepAlive == isReusable)
  }

  @Test(arguments: [
    ("HTTP/1.1", "Expect: 100-continue\r\nContent-Length: 5\r\n", true),
    ("HTTP/1.1", "Expect: 100-CONTINUE\r\nTransfer-Encoding: chunked\r\n", true),
    ("HTTP/1.1", "Expect: 100-continue\r\nContent-Length: 0\r\n", false),
    ("HTTP/1.1", "Expect: 100-continue\r\n", false), ("HTTP/1.1", "Content-Length: 5\r\n", false),
    ("HTTP/1.0", "Expect: 100-continue\r\nContent-Length: 5\r\n", false),
  ])
  func `100 (Continue) is expected only before a body and not in 1.0`(
    _ version: String, _ fields: String, _ expected: Bool
  ) throws {
    #expect(try acceptedHead("POST / \(version)\r\nHost: a\r\n\(fields)\r\n").expectsContinue == expected)
  }

  @Test(arguments: [
    ("HTTP/1.1", "Connection: Upgrade\r\nUpgrade: websocket\r\n", ["websocket"]),
    (
      "HTTP/1.1", "Connection: keep-alive, upgrade\r\nUpgrade: h2c, websocket\r\nUpgrade: x/1\r\n",
      ["h2c", "websocket", "x/1"]
    ),
    ("HTTP/1.1", "Upgrade: websocket\r\n", []), ("HTTP/1.1", "Connection: upgrade\r\n", []),
    ("HTTP/1.1", "Connection: upgrade\r\nUpgrade: websocket\r\nContent-Length: 5\r\n", []),
    ("HTTP/1.0", "Connection: upgrade\r\nUpgrade: websocket\r\n", []),
  ])
  func `an upgrade is offered only where a server may accept it`(
    _ version: String, _ fields: String, _ protocols: [String]
  )
    throws
  {
    #expect(try acceptedHead("GET / \(version)\r\nHost: a\r\n\(fields)\r\n").upgradeProtocols == protocols)
  }

  @Test func `a body is framed by Content-Length, by chunks or as empty`() throws {
    #expect(try acceptedHead("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 007\r\n\r\n").bodyFraming == .length(7))
    #expect(
      try acceptedHead("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9223372036854775807\r\n\r\n").bodyFraming
        == .length(.max))
    #expect(
      try acceptedHead("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: CHUNKED\r\n\r\n").bodyFraming == .chunked)
    #expect(try acceptedHead("POST / HTTP/1.1\r\nHost: a\r\n\r\n").bodyFraming == .none)
  }
}
