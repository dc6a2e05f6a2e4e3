import BridgeCore
import ControlClient
import Footbridge
import Testing

@Suite struct AgentSessionTests {
  private var session: AgentSession
  private static let journal = "footbridge://control/sessions/0123456789abcdef/journal"

  init() throws {
    let table = try OperationTable(describedBy: DescriptionRoutes.document)
    session = AgentSession(
      tools: AgentTools(table), resources: AgentResources(table), version: "1", instructions: "Hello.")
  }

  private mutating func receive(_ text: String) -> [AgentSession.Action] { session.receive(.text(Array(text.utf8))) }

  /// Sends a message that gets one answer at once.
  private mutating func answer(_ text: String) -> JSONValue? {
    guard case .send(let message)? = receive(text).first else { return nil }
    return message
  }

  private mutating func error(_ text: String) -> Double? { answer(text)?["error"]?["code"]?.numberValue }

  private mutating func begin(_ version: String = "2025-11-25") -> JSONValue? {
    let answer = answer(
      #"{"jsonrpc":"2.0","id":"i","method":"initialize","params":{"protocolVersion":"\#(version)","capabilities":{}}}"#)
    _ = receive(#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#)
    return answer
  }

  private static func named(_ id: Int, _ method: String, _ more: String = "", version: String = "2026-07-28") -> String
  {
    """
    {"jsonrpc":"2.0","id":\(id),"method":"\(method)","params":{\(more)"_meta":{
    "io.modelcontextprotocol/protocolVersion":"\(version)","io.modelcontextprotocol/clientCapabilities":{}}}}
    """
  }

  // MARK: The beginning

  @Test mutating func `the client's revision is agreed on if the server speaks it, else the newest with a handshake`() {
    #expect(begin("2025-06-18")?["result"]?["protocolVersion"] == "2025-06-18")
  }

  @Test mutating func `an unknown revision is answered with the newest one`() {
    let result = begin("1999-01-01")?["result"]
    #expect(result?["protocolVersion"] == "2025-11-25")
    #expect(result?["capabilities"] == ["tools": [:], "resources": ["subscribe": true]])
    #expect(result?["serverInfo"]?["name"] == "footbridge")
  }

  @Test mutating func `before initialize only a ping is answered, and initialize is accepted once`() {
    #expect(error(#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#) == -32600)
    #expect(answer(#"{"jsonrpc":"2.0","id":2,"method":"ping"}"#)?["result"] == [:])
    _ = begin()
    #expect(begin()?["error"]?["code"] == -32600)
  }

  @Test mutating func `a request that names its revision needs no initialize`() {
    let result = answer(Self.named(1, "server/discover"))?["result"]
    #expect(result?["supportedVersions"]?.arrayValue?.first == "2026-07-28")
    #expect(result?["resultType"] == "complete")
    #expect(result?["ttlMs"] == 3_600_000)
    let refused = answer(Self.named(2, "tools/list", version: "2030-01-01"))?["error"]
    #expect(refused?["code"] == -32022)
    #expect(refused?["data"]?["requested"] == "2030-01-01")
    #expect(error(Self.named(3, "ping")) == -32601)
  }

  // MARK: Messages

  @Test mutating func `an invalid message is answered with the error code of JSON-RPC`() {
    #expect(error("{") == -32700)
    #expect(error("[]") == -32600)
    #expect(error(#"{"id":1,"method":"ping"}"#) == -32600)
    #expect(error(#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#) == -32600)
    #expect(error(#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#) == -32600)
    #expect(error(#"{"jsonrpc":"2.0","id":1,"method":5}"#) == -32600)
    #expect(error(#"{"jsonrpc":"2.0","id":1}"#) == -32600)
    #expect(error(#"{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}"#) == -32602)
    _ = begin()
    #expect(answer(#"{"jsonrpc":"2.0","id":7,"method":"nothing"}"#)?["id"] == 7)
    #expect(error(#"{"jsonrpc":"2.0","id":8,"method":"nothing"}"#) == -32601)
    guard case .send(let message)? = session.receive(.tooLong).first else { return #expect(Bool(false)) }
    #expect(message["error"]?["code"] == -32600)
  }

  @Test mutating func `notifications and answers get no answer`() {
    #expect(receive(#"{"jsonrpc":"2.0","method":"nothing"}"#) == [])
    #expect(receive(#"{"jsonrpc":"2.0","method":"nothing","params":[]}"#) == [])
    #expect(receive(#"{"jsonrpc":"2.0","id":1,"result":{}}"#) == [])
  }

  // MARK: Requests

  private static func call(_ id: Int) -> String {
    #"{"jsonrpc":"2.0","id":\#(id),"method":"tools/call","params":{"name":"sheets","arguments":{}}}"#
  }

  @Test mutating func `a tool call is answered once`() {
    _ = begin()
    #expect(receive(Self.call(1)) == [.start(id: 1, .call(tool: "sheets", arguments: [:]))])
    #expect(session.finish(1, with: .success(["x": 1])) == ["jsonrpc": "2.0", "id": 1, "result": ["x": 1]])
    #expect(session.finish(1, with: .success([:])) == nil)
  }

  @Test mutating func `a cancelled request is stopped and gets no answer`() {
    _ = begin()
    _ = receive(Self.call(1))
    let cancel = #"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#
    #expect(receive(cancel) == [.stop(id: 1)])
    #expect(receive(cancel) == [])
    #expect(session.finish(1, with: .success([:])) == nil)
  }

  @Test mutating func `a duplicate id is refused, and so are more than 64 open requests`() {
    _ = begin()
    _ = receive(Self.call(0))
    #expect(error(Self.call(0)) == -32600)
    for id in 1..<64 { _ = receive(Self.call(id)) }
    #expect(error(Self.call(64)) == -32000)
    _ = session.finish(5, with: .success([:]))
    #expect(receive(Self.call(64)).count == 1)
  }

  @Test mutating func `an unknown tool, a cursor and wrong parameters are refused`() {
    _ = begin()
    #expect(error(#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"nothing"}}"#) == -32602)
    #expect(
      error(#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"sheets","arguments":[]}}"#) == -32602)
    #expect(error(#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":"x"}}"#) == -32602)
    #expect(error(#"{"jsonrpc":"2.0","id":1,"method":"resources/read"}"#) == -32602)
  }

  @Test mutating func `an unknown resource is answered with the error code of the request's revision`() {
    _ = begin()
    let missing = AgentError(.resourceNotFound, "No.")
    _ = receive(#"{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"x"}}"#)
    #expect(session.finish(1, with: .failure(missing))?["error"]?["code"] == -32002)
    _ = receive(Self.named(2, "resources/read", #""uri":"x","#))
    #expect(session.finish(2, with: .failure(missing))?["error"]?["code"] == -32602)
  }

  // MARK: Changes

  @Test mutating func `a subscription is answered when watching begins, and gets changes until it ends`() {
    _ = begin()
    let parameters = #""params":{"uri":"\#(Self.journal)"}"#
    #expect(
      receive(#"{"jsonrpc":"2.0","id":1,"method":"resources/subscribe",\#(parameters)}"#)
        == [.watch([Self.journal], id: 1)])
    #expect(session.isWatching(1)?["result"] == [:])
    #expect(session.changed(Self.journal).map { $0["params"]?["uri"] } == [.string(Self.journal)])
    let end = receive(#"{"jsonrpc":"2.0","id":2,"method":"resources/unsubscribe",\#(parameters)}"#)
    #expect(end.last == .unwatch(Self.journal))
    #expect(session.changed(Self.journal) == [])
    #expect(
      error(
        #"{"jsonrpc":"2.0","id":3,"method":"resources/subscribe","params":{"uri":"footbridge://control/sessions"}}"#)
        == -32602)
  }

  @Test mutating func `a stream of notifications is acknowledged, marked with its id, and ends when it is cancelled`() {
    let filter = #""notifications":{"toolsListChanged":true,"resourceSubscriptions":["\#(Self.journal)","x:y"]},"#
    #expect(receive(Self.named(5, "subscriptions/listen", filter)) == [.watch([Self.journal], id: 5)])
    let acknowledged = session.isWatching(5)?["params"]
    #expect(acknowledged?["notifications"] == ["resourceSubscriptions": [.string(Self.journal)]])
    #expect(acknowledged?["_meta"] == ["io.modelcontextprotocol/subscriptionId": 5])
    #expect(session.changed(Self.journal).first?["params"]?["_meta"] == ["io.modelcontextprotocol/subscriptionId": 5])
    #expect(
      receive(#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":5}}"#)
        == [.unwatch(Self.journal)])
    #expect(session.changed(Self.journal) == [])
  }
}
