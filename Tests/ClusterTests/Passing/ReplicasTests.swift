import BridgeCore
import BridgeRuntime
import Cryptography
import HTTP1
import HTTPTypes
import Logging
import Testing
import WebServer

@testable import Cluster
@testable import Footbridge
@testable import OnsideServer
@testable import Sessions

/// Two servers that share one table of replicas.
@Suite(.timeLimit(.minutes(5))) @BridgeActor struct ReplicasTests {
  /// One of the servers.
  @BridgeActor private struct Server {
    let footbridge: FootbridgeServer
    let origin: HTTPOrigin
    /// The address at which the others reach it.
    var address: String { "127.0.0.1:\(origin.port)" }
    var ownership: SessionOwnership { get throws { try #require(footbridge.sessions.ownership as? SessionOwnership) } }
  }

  private struct Answer {
    let status: Int
    let value: JSONValue
    let fields: HTTPFields
  }

  private let table = MemoryReplicaTable()
  private let client: HTTPClient
  private let key = [UInt8](repeating: 7, count: 32)
  private static let base = "/__footbridge/api/v1"

  init() throws { client = try HTTPClient() }

  private func server(
    lease: Duration = .seconds(600), longestSilence: Duration = .seconds(60),
    _ change: (inout FootbridgeOptions) -> Void = { _ in }
  ) async throws -> Server {
    var options = FootbridgeOptions()
    options.port = 0
    options.state = nil
    options.controlToken = Secret("a-token-for-tests-0123456789abcdef")
    options.replicas = ReplicaSharing(table: table, key: key)
    options.replicas?.longestSilence = longestSilence
    options.replicaLease = lease
    change(&options)
    let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    let footbridge = try FootbridgeServer(options: options, logger: logger)
    let origin = try #require(HTTPOrigin(try footbridge.start().plain))
    let server = Server(footbridge: footbridge, origin: origin)
    let ownership = try server.ownership
    if !ownership.hasLease {
      let delegate = ownership.delegate
      let listener = OwnershipListener(ownership)
      await withCheckedContinuation { continuation in
        listener.onLeaseBegan = { continuation.resume() }
      }
      ownership.delegate = delegate
    }
    return server
  }

  /// Every server knows every other one.
  private func introduce(_ servers: Server...) async throws {
    for server in servers {
      let ownership = try server.ownership
      while ownership.living.count < servers.count {
        ownership.renewNow()
        try await Task.sleep(for: .milliseconds(5))
      }
    }
  }

  private func ask(
    _ server: Server, _ method: HTTPRequest.Method, _ path: String, cookie: String? = nil, body: JSONValue? = nil,
    token: String? = "a-token-for-tests-0123456789abcdef", more: HTTPFields = [:]
  ) async throws -> Answer {
    var fields: HTTPFields = [.hostField: server.origin.authority]
    for field in more { fields.append(field) }
    if let token { fields[.authorization] = "Bearer \(token)" }
    if let cookie { fields[.cookie] = cookie }
    let bytes = body.map { Array($0.jsonText.utf8) }
    if let bytes {
      fields[.contentType] = "application/json"
      fields[.contentLength] = String(bytes.count)
    }
    let exchange = client.send(
      try RequestHead(method: method, target: .origin(path: path, query: nil), fields: fields), to: server.origin)
    if let bytes {
      try await exchange.write(bytes)
      try await exchange.finishBody()
    }
    let head = try await exchange.nextHead()
    var received: [UInt8] = []
    while let piece = try await exchange.nextBodyPiece() { received += piece }
    return Answer(
      status: head.status.code,
      value: (try? JSONValue(parsing: received)) ?? .string(String(decoding: received, as: UTF8.self)),
      fields: head.fields)
  }

  /// Creates a session on a server. Returns its id and its cookie.
  private func makeSession(_ server: Server, name: String = "test") async throws -> (id: String, cookie: String) {
    let created = try await ask(server, .post, Self.base + "/sessions", body: ["name": .string(name)])
    try #require(created.status == 201)
    let cookie = try #require(created.value["cookie"]?["value"]?.stringValue)
    let id = try #require(created.value["id"]?.stringValue)
    // Without a store, a session is claimed with its first request.
    #expect(try await ask(server, .get, Self.base + "/sessions/\(id)").status == 200)
    return (id, "footbridge_session=\(cookie)")
  }

  private func stop(_ servers: Server...) async {
    for server in servers { await server.footbridge.stop() }
    client.stop()
  }

  @Test func `the control API of every server reaches every session`() async throws {
    let (one, two) = (try await server(), try await server())
    let session = try await makeSession(one, name: "mine")
    let path = Self.base + "/sessions/\(session.id)"
    #expect(try await ask(two, .get, path).value["name"] == "mine")
    #expect(try await ask(two, .patch, path, body: ["name": "other"]).status == 200)
    #expect(try await ask(one, .get, path).value["name"] == "other")
    #expect(two.footbridge.sessions.running.isEmpty)
    #expect(try await ask(two, .delete, path).status == 204)
    #expect(try await ask(one, .get, path).status == 404)
    await stop(one, two)
  }

  @Test func `a list of sessions contains the sessions of all servers`() async throws {
    let (one, two) = (try await server(), try await server())
    try await introduce(one, two)
    let sessions = [try await makeSession(one).id, try await makeSession(two).id]
    for server in [one, two] {
      let list = try await ask(server, .get, Self.base + "/sessions").value["sessions"]?.arrayValue ?? []
      #expect(Set(list.compactMap { $0["id"]?.stringValue }) == Set(sessions))
    }
    await stop(one, two)
  }

  @Test func `a new session in a world is created at the server that has the world`() async throws {
    let (one, two) = (try await server(), try await server())
    let path = Self.base + "/sessions"
    let phone = try await ask(one, .post, path, body: ["name": "phone", "world": "family"])
    let tablet = try await ask(two, .post, path, body: ["name": "tablet", "world": "family"])
    #expect([phone.status, tablet.status] == [201, 201])
    #expect(tablet.value["name"] == "tablet")
    #expect(tablet.value["world"] == "family")
    let alone = try await makeSession(one)
    let further = try await ask(two, .post, path, body: ["deviceOf": .string(alone.id)])
    #expect(further.status == 201)
    #expect(two.footbridge.sessions.running.isEmpty)
    #expect(one.footbridge.sessions.running.count == 4)
    await stop(one, two)
  }

  @Test func `new sessions of the usual world are created at the server that has it`() async throws {
    func usual(_ options: inout FootbridgeOptions) {
      options.bridges.change(OnsideDefinition.self) { $0.world = "usual" }
    }
    let (one, two) = (try await server(usual), try await server(usual))
    for server in [one, two] {
      let created = try await ask(server, .post, Self.base + "/sessions", body: [:])
      #expect(created.status == 201)
      #expect(created.value["world"] == "usual")
    }
    #expect(two.footbridge.sessions.running.isEmpty)
    #expect(one.footbridge.sessions.running.count == 2)
    await stop(one, two)
  }

  @Test func `the dashboard of every server shows and changes all sessions`() async throws {
    let (one, two) = (try await server { $0.dashboardPort = 0 }, try await server { $0.dashboardPort = 0 })
    try await introduce(one, two)
    let session = try await makeSession(one, name: "mine")
    let url = try #require(two.footbridge.newDashboardAddress())
    let code = try #require(url.split(separator: "code=").last)
    let origin = try #require(HTTPOrigin(String(url.prefix { $0 != "#" }.dropLast())))
    let dashboard = Server(footbridge: two.footbridge, origin: origin)
    let entered = try await ask(dashboard, .post, "/enter", body: ["code": .string(String(code))], token: nil)
    let bearer = try #require(entered.value["bearer"]?.stringValue)
    let list = try await ask(dashboard, .get, Self.base + "/sessions", token: bearer)
    #expect(list.value["sessions"]?.arrayValue?.compactMap { $0["id"]?.stringValue } == [session.id])
    let path = Self.base + "/sessions/\(session.id)"
    #expect(try await ask(dashboard, .patch, path, body: ["name": "other"], token: bearer).status == 200)
    #expect(try await ask(one, .get, path).value["name"] == "other")
    let entry = try await ask(dashboard, .post, path + "/enter", body: [:], token: bearer)
    #expect(entry.value["url"]?.stringValue?.hasPrefix("http://\(two.address)/") == true)
    let here = try await ask(dashboard, .get, "/here", cookie: session.cookie, token: bearer)
    #expect(here.value["session"]?.stringValue == session.id)
    // Every request needs a bearer, which is valid at its own dashboard only.
    #expect(try await ask(dashboard, .get, path, token: nil).status == 401)
    #expect(try await ask(one, .get, path, token: bearer).status == 401)
    #expect(two.footbridge.sessions.running.isEmpty)
    await stop(one, two)
  }

  @Test func `the journal's stream has each entry once and in order at every server`() async throws {
    let (one, two) = (try await server(), try await server())
    let session = try await makeSession(one)
    let path = Self.base + "/sessions/\(session.id)"
    for number in 1...3 { _ = try await ask(one, .patch, path, body: ["name": .string("\(number)")]) }
    let head = try RequestHead(
      method: .get, target: .origin(path: Self.base + "/events", query: "session=\(session.id)&after=0"),
      fields: [.hostField: two.origin.authority, .authorization: "Bearer a-token-for-tests-0123456789abcdef"])
    let stream = client.send(head, to: two.origin)
    #expect(try await stream.nextHead().status == .ok)
    for number in 4...6 { _ = try await ask(two, .patch, path, body: ["name": .string("\(number)")]) }
    let count = Int(try await ask(one, .get, path).value["entries"]?.numberValue ?? 0)
    #expect(count >= 6)
    // The stream ends with its session.
    _ = try await ask(two, .delete, path)
    var text = ""
    while let piece = try await stream.nextBodyPiece() { text += String(decoding: piece, as: UTF8.self) }
    let ids = text.split(separator: "\n").filter { $0.hasPrefix("id: ") }.compactMap { Int($0.dropFirst(4)) }
    #expect(ids == Array(1...max(count, ids.count)))
    await stop(one, two)
  }

  @Test func `two pages of one session on two servers get each event once, in the same order`() async throws {
    let (one, two) = (try await server(), try await server())
    let session = try await makeSession(one)
    let pages = [
      try await SocketPage(client, one.origin, cookie: session.cookie, shimID: String(repeating: "1", count: 32)),
      try await SocketPage(client, two.origin, cookie: session.cookie, shimID: String(repeating: "2", count: 32)),
    ]
    let path = Self.base + "/sessions/\(session.id)"
    let names = try await ask(two, .get, path).value["pages"]?.arrayValue?.compactMap { $0["id"]?.stringValue } ?? []
    #expect(names.count == 2)
    #expect(two.footbridge.sessions.running.isEmpty)
    let values = (1...20).map { JSONValue.number(Double($0)) }
    for value in values {
      let sender = value.numberValue.map { Int($0) % 2 == 0 } ?? false ? one : two
      for page in names {
        let sent = try await ask(
          sender, .post, path + "/pages/\(page)/events", body: ["action": "test.counted", "data": ["value": value]])
        try #require(sent.status == 204, "\(sent.value)")
      }
    }
    for page in pages {
      await page.wait { page.events("test.counted").count >= values.count }
      #expect(page.events("test.counted").compactMap { $0["data"]?["value"] } == values)
      page.disconnect()
    }
    await stop(one, two)
  }

  @Test func `a page's socket ends with the server that owns the session, and reconnects`() async throws {
    let (one, two) = (try await server(), try await server())
    let session = try await makeSession(one)
    let shimID = String(repeating: "3", count: 32)
    let page = try await SocketPage(client, two.origin, cookie: session.cookie, shimID: shimID)
    // The first one is cut off and does not close its connections. Its lease ends, and the second one notices.
    table.cutOff(one.address)
    table.endLease(ofAddress: one.address)
    try two.ownership.renewNow()
    await page.wait { page.isClosed }
    let back = try await SocketPage(client, two.origin, cookie: session.cookie, shimID: shimID)
    #expect(back.answer("hello") != nil)
    #expect(two.footbridge.sessions.running.map(\.id) == [session.id])
    #expect(try two.ownership.takeOverCount == 1)
    back.disconnect()
    await stop(one, two)
  }

  @Test func `a page's socket ends when the owning server is silent, and the page resumes elsewhere`() async throws {
    // The owner first pings after 25 seconds. Its answers take less, also on a busy machine.
    let (one, two) = (try await server(), try await server(longestSilence: .seconds(10)))
    let session = try await makeSession(one)
    let near = try await SocketPage(
      client, one.origin, cookie: session.cookie, shimID: String(repeating: "6", count: 32))
    let shimID = String(repeating: "5", count: 32)
    let page = try await SocketPage(client, two.origin, cookie: session.cookie, shimID: shimID)
    await page.wait { page.isClosed }
    // Its owner's lease runs: it is no take-over.
    let back = try await SocketPage(client, two.origin, cookie: session.cookie, shimID: shimID)
    #expect(back.answer("hello")?["payload"]?["data"]?["resumed"] == true)
    let shown = try await ask(two, .get, Self.base + "/sessions/\(session.id)").value
    #expect(shown["pages"]?.arrayValue?.count == 2)
    #expect(two.footbridge.sessions.running.isEmpty)
    // The owner's own page has stayed.
    #expect(!near.isClosed)
    for each in [back, near] { each.disconnect() }
    await stop(one, two)
  }

  @Test func `a server whose lease has expired closes its pages' sockets and serves none of their sessions`()
    async throws
  {
    let (one, two) = (try await server(), try await server())
    let session = try await makeSession(one)
    let page = try await SocketPage(
      client, one.origin, cookie: session.cookie, shimID: String(repeating: "4", count: 32))
    table.endLease(ofAddress: one.address)
    try one.ownership.renewNow()
    await page.wait { page.isClosed }
    #expect(one.footbridge.sessions.running.isEmpty)
    // The first server to ask owns the session from now on.
    let path = Self.base + "/sessions/\(session.id)"
    #expect(try await ask(two, .get, "/__footbridge/shim.js", cookie: session.cookie).status == 200)
    #expect(try await ask(two, .get, path).status == 200)
    #expect(two.footbridge.sessions.running.map(\.id) == [session.id])
    await stop(one, two)
  }

  @Test func `a wait for the journal of a session that moves gets 503, and can be sent again`() async throws {
    let (one, two) = (try await server(), try await server())
    let session = try await makeSession(one)
    let path = Self.base + "/sessions/\(session.id)/journal/wait"
    let until: JSONValue = ["until": ["kind": "event"], "timeout": 100_000]
    let waiting = Task { try await ask(one, .post, path, body: until) }
    let journal = try #require(one.footbridge.sessions.running(id: session.id)).journal
    while !journal.isObserved { try await Task.sleep(for: .milliseconds(5)) }
    table.endLease(ofAddress: one.address)
    try one.ownership.renewNow()
    let answer = try await waiting.value
    #expect(answer.status == 503)
    #expect(answer.fields[.retryAfter] != nil)
    await stop(one, two)
  }

  @Test func `a server that stops releases its sessions at once`() async throws {
    let (one, two) = (try await server(), try await server())
    let session = try await makeSession(one)
    #expect(try await ask(two, .get, "/__footbridge/shim.js", cookie: session.cookie).status == 200)
    #expect(two.footbridge.sessions.running.isEmpty)
    await one.footbridge.stop()
    #expect(try await ask(two, .get, "/__footbridge/shim.js", cookie: session.cookie).status == 200)
    #expect(two.footbridge.sessions.running.map(\.id) == [session.id])
    await stop(two)
  }

  @Test func `a one-time address works at every server, once`() async throws {
    let (one, two) = (try await server(), try await server())
    let session = try await makeSession(one)
    let entry = try await ask(two, .post, Self.base + "/sessions/\(session.id)/enter", body: [:])
    let code = try #require(entry.value["code"]?.stringValue)
    let entered = try await ask(two, .get, "/__footbridge/enter/\(code)")
    #expect(entered.status == 303)
    #expect(entered.fields[values: .setCookie].contains { $0.hasPrefix(session.cookie) })
    #expect(try await ask(one, .get, "/__footbridge/enter/\(code)").status == 410)
    await stop(one, two)
  }

  @Test func `the control API requires the token for another server's session`() async throws {
    let (one, two) = (try await server(), try await server())
    let session = try await makeSession(one)
    #expect(try await ask(two, .get, Self.base + "/sessions/\(session.id)", token: nil).status == 401)
    await stop(one, two)
  }

  @Test func `a request with a forged replica mark is refused`() async throws {
    let one = try await server()
    let replica = try #require(try one.ownership.replica)
    for value in ["own-list", "5 to=\(replica.id) at=own by=https serial=a/1 AAAA"] {
      let answer = try await ask(
        one, .get, Self.base + "/sessions", more: HTTPFields([HTTPField(name: ReplicaHop.field, value: value)]))
      #expect(answer.status == 403)
    }
    await stop(one)
  }

  @Test func `a request of another replica that is sent again, or with another head, is refused`()
    async throws
  {
    let one = try await server()
    let session = try await makeSession(one)
    let receiver = try #require(try one.ownership.replica).id
    let path = Self.base + "/sessions/\(session.id)"
    let plain = try RequestHead(
      method: .get, target: .origin(path: path, query: nil),
      fields: [
        .hostField: one.origin.authority, .authorization: "Bearer a-token-for-tests-0123456789abcdef",
        .cookie: session.cookie,
      ])
    let key = try #require(one.footbridge.sessions.runningKey(ofID: session.id))
    let hop = ReplicaHop(receiver: receiver, session: key, isSecure: false, address: nil, destination: .own)
    let authentication = AuthenticationCode(
      key: AuthenticationCode(key: self.key).code(of: Array("requests between replicas".utf8)))
    func mark(_ number: Int) -> HTTPFields {
      [ReplicaHop.field: hop.field(for: plain, authentication, serial: MarkSerial(sender: "a", number: number)).value]
    }
    let first = try await ask(one, .get, path, cookie: session.cookie, more: mark(1))
    #expect(first.status == 200)
    let again = try await ask(one, .get, path, cookie: session.cookie, more: mark(1))
    #expect(again.status == 403 && again.fields[ReplicaHop.field] == ReplicaHop.repeated)
    #expect(try await ask(one, .get, path, cookie: "footbridge_session=other", more: mark(2)).status == 403)
    #expect(try await ask(one, .delete, path, cookie: session.cookie, more: mark(2)).status == 403)
    #expect(try await ask(one, .get, path, cookie: session.cookie, more: mark(2)).status == 200)
    await stop(one)
  }

  /// Sends a request with a body as another replica does.
  ///
  /// - Parameters:
  ///   - body: What is sent before the seal.
  ///   - sealed: What the seal belongs to; nil to send no seal.
  private func passOn(
    _ server: Server, _ number: Int, _ method: HTTPRequest.Method, _ path: String, _ body: JSONValue,
    sealed: JSONValue?,
    isChunked: Bool
  ) async throws -> Int {
    let authentication = AuthenticationCode(
      key: AuthenticationCode(key: self.key).code(of: Array("requests between replicas".utf8)))
    let serial = MarkSerial(sender: "bodies", number: number)
    var bytes = Array(body.jsonText.utf8)
    if let sealed {
      let code = BodySeal.begin(authentication, serial)
      code.add(sealed.jsonText.utf8)
      bytes += code.finish()
    }
    var fields: HTTPFields = [
      .hostField: server.origin.authority, .authorization: "Bearer a-token-for-tests-0123456789abcdef",
      .contentType: "application/json",
    ]
    if isChunked { fields[.transferEncoding] = "chunked" } else { fields[.contentLength] = String(bytes.count) }
    let hop = ReplicaHop(
      receiver: try #require(try server.ownership.replica).id,
      session: server.footbridge.sessions.running.first?.key.rawValue, isSecure: false, address: nil, destination: .own)
    let target = RequestTarget.origin(path: path, query: nil)
    let plain = try RequestHead(method: method, target: target, fields: fields)
    fields[ReplicaHop.field] = hop.field(for: plain, authentication, serial: serial).value
    let exchange = client.send(try RequestHead(method: method, target: target, fields: fields), to: server.origin)
    // A refusal may come before the end of the body.
    for byte in bytes { try? await exchange.write([byte]) }
    try? await exchange.finishBody()
    return try await exchange.nextHead().status.code
  }

  @Test(arguments: [false, true])
  func `a request of another replica with another body is refused, and has no effect`(isChunked: Bool) async throws {
    let one = try await server()
    let session = try await makeSession(one)
    let path = Self.base + "/sessions/\(session.id)"
    let wanted: JSONValue = ["name": "wanted"]
    for (number, sealed) in [["name": "other!"], ["name": "wante"], nil].enumerated() {
      let sealed: JSONValue? = sealed.map { .object($0.mapValues { .string($0) }) }
      let status = try await passOn(
        one, number + 1, .patch, path, wanted, sealed: sealed, isChunked: isChunked)
      #expect(status == 403)
      #expect(try await ask(one, .get, path).value["name"] == "test")
    }
    #expect(try await passOn(one, 4, .patch, path, wanted, sealed: wanted, isChunked: isChunked) == 200)
    #expect(try await ask(one, .get, path).value["name"] == "wanted")
    await stop(one)
  }

  @Test func `a server without a lease reports that it is not ready`() async throws {
    let one = try await server()
    #expect(try await ask(one, .get, "/__footbridge/health").status == 200)
    table.refuseNew()
    table.endLease(ofAddress: one.address)
    try one.ownership.renewNow()
    while try one.ownership.hasLease { try await Task.sleep(for: .milliseconds(5)) }
    let health = try await ask(one, .get, "/__footbridge/health/ready")
    #expect(health.status == 503)
    #expect(health.value["status"] == "no-lease")
    #expect(try await ask(one, .get, "/__footbridge/health/live").status == 200)
    let metrics = try await ask(one, .get, "/__footbridge/metrics").value.stringValue ?? ""
    #expect(metrics.contains("footbridge_replica_lease 0"))
    #expect(metrics.contains("footbridge_ready 0"))
    await stop(one)
  }
}
