import BridgeCore
import ControlClient
import Footbridge

/// What the client of a coding agent sends, line by line: each request gets one answer at most, and no message is broken.
enum AgentFuzz {
  private static let parts = Result {
    let table = try OperationTable(describedBy: DescriptionRoutes.document)
    return (tools: AgentTools(table), resources: AgentResources(table))
  }

  static func check(_ input: [UInt8]) throws {
    let (tools, resources) = try parts.get()
    var session = AgentSession(tools: tools, resources: resources, version: "1", instructions: "")
    var lines = AgentLines(limit: 4096)
    for line in lines.read(input + [UInt8(ascii: "\n")]) {
      for action in session.receive(line) {
        switch action {
        case .send(let message): try check(message)
        case .start(let id, let work):
          switch work {
          case .call(let tool, let arguments): _ = try? tools.use(tool, arguments)
          case .read(let uri): _ = resources.call(uri)
          case .listResources: break
          }
          guard let answer = session.finish(id, with: .success([:])) else {
            throw FuzzFinding(description: "No answer to \(id)")
          }
          try check(answer)
          try FuzzFinding.unless(session.finish(id, with: .success([:])) == nil, "Two answers to \(id)")
        case .watch(_, let id): if let message = session.isWatching(id) { try check(message) }
        case .unwatch, .stop: break
        }
      }
    }
  }

  private static func check(_ message: JSONValue) throws(FuzzFinding) {
    let isAnswer = message["id"] != nil && (message["result"] != nil) != (message["error"] != nil)
    let isNotification = message["id"] == nil && message["method"]?.stringValue != nil
    try FuzzFinding.unless(message["jsonrpc"] == "2.0" && (isAnswer || isNotification), "No message: \(message)")
  }
}
