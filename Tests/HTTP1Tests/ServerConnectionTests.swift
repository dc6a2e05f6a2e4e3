import HTTP1
import HTTPTypes
import Testing

@Suite struct ServerConnectionTests {
  private let get = Array("GET /next HTTP/1.1\r\nHost: a\r\n\r\n".utf8)

  private func machine(_ text: String, limits: HTTP1Limits = .default) -> ServerConnectionStateMachine {
    var machine = ServerConnectionStateMachine(limits: limits)
    machine.receive(Array(text.utf8))
    return machine
  }

  private func path(_ action: ServerConnectionStateMachine.Action) -> String? {
    if case .head(let head) = action { head.target.path } else { nil }
  }

  @Test func `pipelined requests are returned in order, each after the previous response`() {
    var machine = machine("GET /1 HTTP/1.1\r\nHost: a\r\n\r\nGET /2 HTTP/1.1\r\nHost: a\r\n\r\nGET /3 HTTP/1.1\r\n")
    for expected in ["/1", "/2"] {
      #expect(path(machine.nextAction()) == expected)
      #expect(machine.nextAction() == .end(trailers: [:]))
      #expect(machine.nextAction() == .awaitsResponse)
      #expect(machine.nextAction() == .awaitsResponse)
      machine.responseSent()
    }
    #expect(machine.nextAction() == .needsMoreBytes)
    machine.receive(Array("Host: a\r\n\r\n".utf8))
    #expect(path(machine.nextAction()) == "/3")
  }

  @Test func `a malformed request is refused after the request before it is answered`() {
    var machine = machine("GET /1 HTTP/1.1\r\nHost: a\r\n\r\nbad\r\n")
    #expect(path(machine.nextAction()) == "/1")
    #expect(machine.nextAction() == .end(trailers: [:]))
    #expect(machine.nextAction() == .awaitsResponse)
    machine.responseSent()
    #expect(machine.nextAction() == .refuse(RequestError(.malformedRequestLine)))
    #expect(machine.nextAction() == .closed)
  }

  @Test(arguments: [
    "Host: a\r\nAccept: b\r\nX: c\r\n", "Host: a\r\nAccept: b\r\n", "Host: a\r\nAccept: b\r\nX: c\r\nY: d\r\n",
    "Host: a\r\naccept: b\r\nX: c\r\n", "Host: a\r\nAccept: B\r\nX: c\r\n", "Host: a\r\nAccept:\t b \r\nX:c\r\n",
    "Host: a\r\nX: c\r\nAccept: b\r\n", "Host: a\r\nAccept: bb\r\nX: \r\n", "Host: b\r\nAccept: b\r\nX: c\r\n",
    "Host: a\r\nAccept : b\r\nX: c\r\n", "Host: a\r\n Accept: b\r\nX: c\r\n", "Host: a\r\nAccept\r\nX: c\r\n",
    "Host: a\r\nAccept:: b\r\nX: c\r\n", "Host: a\r\nHost: a\r\nX: c\r\n", "Accept: b\r\nX: c\r\n",
    "Host: a\r\nAccept: \u{E9}\r\nX: c\r\n", "",
  ])
  func `a request head is read the same whatever head came before it`(_ fields: String) {
    func lines(_ events: [ServerEvent]) -> [[String]] {
      events.map { event in
        guard case .head(let head) = event else { return ["\(event)"] }
        return ["\(head.method) \(head.target) \(head)"]
          + head.fields.map { field in
            "\(field.name.rawName): \(field.withUnsafeBytesOfValue { Array($0) })"
          }
      }
    }
    let first = Array("GET /1 HTTP/1.1\r\nHost: a\r\nAccept: b\r\nX: c\r\n\r\n".utf8)
    let second = Array("GET /2 HTTP/1.1\r\n\(fields)\r\n".utf8)
    let (before, alone) = (serverEvents([first]).dropLast(), serverEvents([second]))
    #expect(lines(serverEvents([first, second])) == lines(before + alone))
  }

  @Test(arguments: [1, 8192])
  func `a request that repeats the previous one is read the same, however its bytes are split`(_ length: Int) {
    let request = Array("\r\nGET /1 HTTP/1.1\r\nHost: a\r\nX: \(String(repeating: "b", count: length))\r\n\r\n".utf8)
    let (once, next) = (serverEvents([request]).dropLast(), serverEvents([get]).dropLast())
    #expect(serverEvents([request + request + request]).dropLast() == once + once + once)
    for cut in stride(from: 0, through: request.count, by: length < 10 ? 1 : 1021) {
      let pieces = [request + request[..<cut], Array(request[cut...]) + get + request]
      #expect(serverEvents(pieces).dropLast() == once + once + next + once)
    }
  }

  @Test func `empty lines before a repeated request count to their limit`() {
    let request = Array("GET /1 HTTP/1.1\r\nHost: a\r\n\r\n".utf8)
    let once = serverEvents([request]).dropLast()
    for count in 0...12 {
      let lines = Array(String(repeating: "\r\n", count: count).utf8)
      let alone = serverEvents([lines + request]).dropLast()
      #expect(serverEvents([request + lines + request]).dropLast() == once + alone)
    }
  }

  @Test func `nothing is read after a request with Connection close`() {
    var machine = machine("GET /1 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\nGET /2 HTTP/1.1\r\nHost: a\r\n\r\n")
    #expect(path(machine.nextAction()) == "/1")
    #expect(machine.shouldClose)
    #expect(machine.nextAction() == .end(trailers: [:]))
    machine.responseSent()
    #expect(machine.nextAction() == .closed)
  }

  @Test func `a small unread body is discarded before the next request`() {
    let request = "POST /1 HTTP/1.1\r\nHost: a\r\nContent-Length: 26\r\n\r\nGET /smuggled HTTP/1.1\r\n\r\n"
    for cut in 0...request.utf8.count {
      var machine = ServerConnectionStateMachine()
      let bytes = Array(request.utf8) + get
      machine.receive(bytes[..<cut])
      var paths: [String?] = []
      func takeHeads() {
        while true {
          let action = machine.nextAction()
          guard case .head = action else {
            #expect(action == .needsMoreBytes)
            return
          }
          paths.append(path(action))
          #expect(!machine.shouldClose)
          machine.responseSent()
        }
      }
      takeHeads()
      machine.receive(bytes[cut...])
      takeHeads()
      #expect(paths == ["/1", "/next"])
    }
  }

  @Test func `an unread body above the limit closes the connection, and one at the limit does not`() {
    for (length, closes) in [(65_536, false), (65_537, true)] {
      var machine = machine("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: \(length)\r\n\r\n")
      _ = machine.nextAction()
      #expect(machine.shouldClose == closes)
      machine.responseSent()
      machine.receive([UInt8](repeating: 0x61, count: length) + get)
      #expect(path(machine.nextAction()) == (closes ? nil : "/next"))
    }
  }

  @Test func `a response before the end of chunks closes the connection, and one after it does not`() {
    let head = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
    for (chunks, closes) in [("", true), ("1\r\na\r\n", true), ("1\r\na\r\n0\r\n\r\n", false)] {
      var machine = machine(head + chunks)
      while machine.nextAction() != (closes ? .needsMoreBytes : .awaitsResponse) {}
      #expect(machine.shouldClose == closes)
      machine.responseSent()
      machine.receive(get)
      #expect(path(machine.nextAction()) == (closes ? nil : "/next"))
    }
  }

  @Test func `a response instead of 100 (Continue) closes the connection`() {
    for framing in ["Content-Length: 5", "Transfer-Encoding: chunked"] {
      var machine = machine("POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\n\(framing)\r\n\r\n")
      guard case .head(let head) = machine.nextAction() else {
        Issue.record("no head")
        return
      }
      #expect(head.expectsContinue)
      #expect(machine.shouldClose)
      machine.responseSent()
      machine.receive(get)
      #expect(machine.nextAction() == .closed)
    }
  }

  @Test func `a body read after 100 (Continue) leaves the connection open`() {
    var machine = machine("POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\n")
    _ = machine.nextAction()
    #expect(machine.nextAction() == .needsMoreBytes)
    machine.receive(Array("hello".utf8))
    #expect(machine.nextAction() == .body(Array("hello".utf8)))
    #expect(!machine.shouldClose)
    #expect(machine.nextAction() == .end(trailers: [:]))
    machine.responseSent()
    machine.receive(get)
    #expect(path(machine.nextAction()) == "/next")
  }

  @Test func `a response may be sent before the end of a request without body is read`() {
    var machine = machine("GET /1 HTTP/1.1\r\nHost: a\r\n\r\n")
    #expect(path(machine.nextAction()) == "/1")
    machine.responseSent()
    machine.responseSent()
    machine.receive(get)
    #expect(path(machine.nextAction()) == "/next")
  }

  @Test func `a connection that ends between requests is closed without an error`() {
    #expect(serverEvents("", thenEnd: true) == [.closed])
    #expect(serverEvents("\r\n", thenEnd: true) == [.closed])
    #expect(serverEvents("GET / HTTP/1.1\r\nHost: a\r\n\r\n", thenEnd: true).last == .closed)
  }

  @Test(arguments: ["G", "GET / HTTP/1.1", "GET / HTTP/1.1\r\n", "GET / HTTP/1.1\r\nHost: a\r\n", "\r"])
  func `a connection that ends within a head is refused`(_ text: String) {
    #expect(serverEvents(text, thenEnd: true) == [.refuse(.badRequest, .truncatedHead), .closed])
  }

  @Test(arguments: ["Content-Length: 5\r\n\r\nhell", "Transfer-Encoding: chunked\r\n\r\n4\r\nhell\r\n"])
  func `a connection that ends within a body is refused as truncated`(_ rest: String) {
    let events = serverEvents("POST / HTTP/1.1\r\nHost: a\r\n\(rest)", thenEnd: true)
    #expect(events.dropFirst() == [.body("hell"), .refuse(.badRequest, .truncatedBody), .closed])
  }

  @Test func `complete requests are returned after the connection has ended`() {
    var machine = machine("GET /1 HTTP/1.1\r\nHost: a\r\n\r\n")
    machine.receive(get)
    machine.receiveEnd()
    #expect(path(machine.nextAction()) == "/1")
    machine.responseSent()
    #expect(path(machine.nextAction()) == "/next")
    machine.responseSent()
    #expect(machine.nextAction() == .closed)
  }

  @Test func `an upgrade gets the bytes after the head and ends HTTP`() {
    var machine = machine("GET /ws HTTP/1.1\r\nHost: a\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n\u{1}\n\r")
    #expect(path(machine.nextAction()) == "/ws")
    #expect(machine.nextAction() == .end(trailers: [:]))
    #expect(machine.takeRemainder() == [1, 10, 13])
    machine.receive(get)
    #expect(machine.nextAction() == .closed)
    #expect(machine.takeRemainder() == [])
  }

  @Test func `a peer that sends too much ahead is not read any more`() {
    var machine = machine("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
    _ = machine.nextAction()
    _ = machine.nextAction()
    var reads = 0
    while machine.wantsBytes {
      machine.receive([UInt8](repeating: 0x0D, count: 4096))
      reads += 1
    }
    #expect(reads == 16)
    machine.responseSent()
    #expect(machine.nextAction() == .refuse(RequestError(.bareCarriageReturn)))
  }

  @Test func `a connection is idle until the first byte of a request and again after its response`() {
    var machine = ServerConnectionStateMachine()
    #expect(machine.isIdle && machine.wantsBytes && !machine.shouldClose)
    machine.receive([UInt8(ascii: "G")])
    #expect(!machine.isIdle)
    machine.receive(Array("ET / HTTP/1.1\r\n".utf8))
    _ = machine.nextAction()
    #expect(!machine.isIdle)
    machine.receive(Array("Host: a\r\n\r\n".utf8))
    _ = machine.nextAction()
    #expect(!machine.isIdle)
    _ = machine.nextAction()
    machine.responseSent()
    #expect(machine.isIdle)
  }
}
