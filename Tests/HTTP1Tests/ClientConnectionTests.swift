import HTTP1
import HTTPTypes
import Testing

@Suite struct ClientConnectionTests {
  private func head(_ text: String, to method: HTTPRequest.Method = .get) throws -> ResponseHead {
    let found = clientEvents(text, to: method).compactMap { if case .head(let head) = $0 { head } else { nil } }
    return try #require(found.first)
  }

  @Test func `a response head has the version, status, reason and fields as they were sent`() throws {
    let head = try head("HTTP/1.0 299 Oh well\r\nx-B: 1\r\nSet-Cookie: a=b; c\r\nX-b: 2\r\nSet-Cookie: d\r\n\r\n")
    #expect(head.version == .http10 && head.status.code == 299 && head.status.reasonPhrase == "Oh well")
    #expect(
      head.fields.map { "\($0.name.rawName)=\($0.value)" } == ["x-B=1", "Set-Cookie=a=b; c", "X-b=2", "Set-Cookie=d"])
  }

  @Test func `a reason may be empty, missing, or in ISO Latin 1, and is written back as it came`() throws {
    #expect(try head("HTTP/1.1 200 \r\n\r\n").status.reasonPhrase == "")
    #expect(try head("HTTP/1.1 200\r\n\r\n").status.reasonPhrase == "")
    let line = Array("HTTP/1.1 200 ".utf8) + [0xE9, 0xFF, 0x09, 0x20] + Array("\r\n\r\n".utf8)
    guard case .head(let head) = clientEvents([line]).first else {
      Issue.record("no head")
      return
    }
    #expect(head.status.reasonPhrase == "\u{E9}\u{FF}\t ")
    #expect(HeadEncoder.encode(head.status) == line)
  }

  @Test(arguments: ["ETag: 1\r\nX: b\r\n", "ETag: 2\r\nX: b\r\n", "etag: 1\r\nX: b\r\n", "X: b\r\n", ""])
  func `a response head is read the same whatever head came before it`(_ fields: String) {
    var machine = ClientConnectionStateMachine()
    var lines: [[String]] = []
    for text in ["ETag: 1\r\nX: b\r\n", fields] {
      machine.beginRequest(method: .get)
      machine.receive(Array("HTTP/1.1 200 OK\r\n\(text)Content-Length: 0\r\n\r\n".utf8))
      guard case .head(let head) = machine.nextAction() else {
        Issue.record("no head")
        return
      }
      lines.append(head.fields.map { "\($0.name.rawName): \($0.value)\r\n" })
      #expect(machine.nextAction() == .end(trailers: [:]))
    }
    #expect(lines[1].dropLast().joined() == fields)
  }

  @Test func `a repeated response head is read for the method of its request`() {
    var machine = ClientConnectionStateMachine()
    let head = Array("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n".utf8)
    for method in [HTTPRequest.Method.get, .get, .head, .head, .get] {
      machine.beginRequest(method: method)
      machine.receive(method == .head ? head : head + Array("hi".utf8))
      guard case .head(let head) = machine.nextAction() else {
        Issue.record("no head")
        return
      }
      #expect(head.bodyFraming == (method == .head ? .none : .length(2)))
      if method == .get { #expect(machine.nextAction() == .body(Array("hi".utf8))) }
      #expect(machine.nextAction() == .end(trailers: [:]))
      #expect(machine.nextAction() == .idle)
    }
  }

  @Test func `a repeated response head has the defects of what came before it`() {
    var limits = HTTP1Limits()
    limits.mendsResponses = true
    var machine = ClientConnectionStateMachine(limits: limits)
    let (whole, broken) = ("X: a\r\nContent-Length: 0\r\n", "X : a\r\nContent-Length: 0\r\n")
    var defects: [Set<MessageDefect>] = []
    for text in [whole, whole, broken, broken, whole, whole] {
      machine.beginRequest(method: .get)
      machine.receive(Array("HTTP/1.1 200 OK\r\n\(text)\r\n".utf8))
      guard case .head(let head) = machine.nextAction() else {
        Issue.record("no head")
        return
      }
      defects.append(head.mended)
      _ = machine.nextAction()
    }
    #expect(defects.map(\.isEmpty) == [true, true, false, false, false, false])
  }

  @Test func `a body with a length is read, and the connection is reusable`() {
    let events = clientEvents("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello")
    #expect(afterHead(events) == [.body("hello"), .end(trailers: []), .idle])
  }

  @Test func `a body in chunks is read with its trailers`() {
    let events = clientEvents(
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3;x\r\nhel\r\n2\r\nlo\r\n0\r\nX-Sum: 1\r\n\r\n")
    #expect(afterHead(events) == [.body("hello"), .end(trailers: ["X-Sum: 1"]), .idle])
  }

  @Test func `a body without framing lasts until the connection ends, and is complete only if it ended cleanly`() {
    for version in ["1.0", "1.1"] {
      let text = "HTTP/\(version) 200 OK\r\n\r\nhel\r\n\r\nlo"
      #expect(afterHead(clientEvents(text)) == [.body("hel\r\n\r\nlo"), .waitsForBytes])
      #expect(afterHead(clientEvents(text, end: .clean)) == [.body("hel\r\n\r\nlo"), .end(trailers: []), .closed])
      #expect(afterHead(clientEvents(text, end: .broken)) == [.body("hel\r\n\r\nlo"), .fail(.truncatedBody), .closed])
    }
  }

  @Test(arguments: [
    ("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n", HTTPRequest.Method.head),
    ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", .head), ("HTTP/1.1 200 OK\r\n\r\n", .head),
    ("HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\n", .get), ("HTTP/1.1 204 No Content\r\n\r\n", .delete),
    ("HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\n", .get),
    ("HTTP/1.1 304 Not Modified\r\nTransfer-Encoding: chunked\r\n\r\n", .get),
  ])
  func `HEAD, 204 and 304 have no body whatever the fields say`(_ text: String, _ method: HTTPRequest.Method) throws {
    #expect(try head(text, to: method).bodyFraming == .none)
    #expect(afterHead(clientEvents(text, to: method)) == [.end(trailers: []), .idle])
  }

  @Test func `informational responses come before the final one`() {
    let events = clientEvents(
      "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: a\r\n\r\n"
        + "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"
    )
    #expect(events.prefix(2) == [.informational(100), .informational(103)])
    #expect(afterHead(events) == [.end(trailers: []), .idle])
  }

  @Test func `32 informational responses are accepted, and 33 fail`() {
    let hint = "HTTP/1.1 102 Processing\r\n\r\n"
    let final = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"
    #expect(clientEvents(String(repeating: hint, count: 32) + final).last == .idle)
    #expect(
      clientEvents(String(repeating: hint, count: 33) + final).suffix(2) == [
        .fail(.tooManyInformationalResponses), .closed,
      ])
  }

  @Test func `101 ends HTTP when an upgrade was offered, and is an error otherwise`() {
    let text = "HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n"
    #expect(clientEvents(text) == [.fail(.unexpectedSwitch), .closed])
    var machine = ClientConnectionStateMachine()
    machine.beginRequest(method: .get, offersUpgrade: true)
    machine.receive(Array(text.utf8) + [1, 2, 3])
    guard case .head(let head) = machine.nextAction() else {
      Issue.record("no head")
      return
    }
    #expect(head.endsHTTP && head.status.code == 101 && !head.keepAlive)
    #expect(machine.nextAction() == .needsMoreBytes)
    machine.receive([4])
    #expect(machine.takeRemainder() == [1, 2, 3, 4])
    #expect(machine.nextAction() == .closed)
  }

  @Test func `a success to CONNECT ends HTTP, a failure has a body`() throws {
    let tunnel = try head("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n", to: .connect)
    #expect(tunnel.endsHTTP && tunnel.bodyFraming == .none)
    let failure = try head("HTTP/1.1 403 Forbidden\r\nContent-Length: 5\r\n\r\n", to: .connect)
    #expect(!failure.endsHTTP && failure.bodyFraming == .length(5))
  }

  @Test(arguments: [
    ("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", true), ("HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n", false),
    ("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: Close\r\n\r\n", false),
    ("HTTP/1.0 200 OK\r\nContent-Length: 0\r\nConnection: keep-alive\r\n\r\n", true),
    ("HTTP/1.0 200 OK\r\nConnection: keep-alive\r\n\r\n", false), ("HTTP/1.1 200 OK\r\n\r\n", false),
  ])
  func `a connection is reusable if the version, Connection and the framing allow it`(
    _ text: String, _ isReusable: Bool
  )
    throws
  {
    #expect(try head(text).keepAlive == isReusable)
    var machine = ClientConnectionStateMachine()
    machine.beginRequest(method: .get)
    machine.receive(Array(text.utf8))
    _ = machine.nextAction()
    _ = machine.nextAction()
    #expect(machine.isReusable == isReusable)
  }

  @Test func `requests follow one another on one connection`() {
    var machine = ClientConnectionStateMachine()
    #expect(machine.nextAction() == .idle)
    for method in [HTTPRequest.Method.head, .get, .head] {
      #expect(machine.isReusable)
      machine.beginRequest(method: method)
      #expect(!machine.isReusable)
      machine.receive(Array("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n\(method == .get ? "ok" : "")".utf8))
      guard case .head = machine.nextAction() else {
        Issue.record("no head")
        return
      }
      if method == .get { #expect(machine.nextAction() == .body(Array("ok".utf8))) }
      #expect(machine.nextAction() == .end(trailers: [:]))
      #expect(machine.nextAction() == .idle)
    }
  }

  @Test func `bytes that no request asked for close the connection unread`() {
    var machine = ClientConnectionStateMachine()
    machine.receive(Array("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n".utf8))
    #expect(!machine.isReusable)
    machine.beginRequest(method: .get)
    #expect(machine.nextAction() == .closed)
    let events = clientEvents("HTTP/1.1 204 No Content\r\n\r\nHTTP/1.1 200 OK\r\n\r\n")
    #expect(afterHead(events) == [.end(trailers: []), .closed])
  }

  @Test func `a connection that ends without a response fails differently from a truncated one`() {
    #expect(clientEvents("", end: .clean) == [.fail(.noResponse), .closed])
    #expect(clientEvents("H", end: .clean) == [.fail(.truncatedHead), .closed])
    #expect(clientEvents("HTTP/1.1 200 OK\r\n", end: .clean) == [.fail(.truncatedHead), .closed])
    #expect(
      clientEvents("HTTP/1.1 100 Continue\r\n\r\n", end: .clean)
        == [.informational(100), .fail(.truncatedHead), .closed])
  }

  @Test(arguments: ["Content-Length: 5\r\n\r\nhell", "Transfer-Encoding: chunked\r\n\r\n4\r\nhell\r\n"])
  func `a truncated body fails, however the connection ended`(_ rest: String) {
    for end in [ConnectionEnd.clean, .broken] {
      let events = clientEvents("HTTP/1.1 200 OK\r\n\(rest)", end: end)
      #expect(afterHead(events) == [.body("hell"), .fail(.truncatedBody), .closed])
    }
  }

  @Test func `the end of an idle connection closes it`() {
    var machine = ClientConnectionStateMachine()
    machine.receiveEnd()
    #expect(!machine.isReusable && !machine.wantsBytes)
    #expect(machine.nextAction() == .closed)
  }
}
