import BridgeCore
import BridgeRuntime
import ControlClient
import Testing

@testable import BridgeServer
@testable import Footbridge
@testable import SiteServer

@Suite struct AgentToolsTests {
  private let table: OperationTable
  private let tools: [String: JSONValue]

  init() throws {
    table = try OperationTable(describedBy: DescriptionRoutes.document)
    let list = AgentTools(table).list.arrayValue ?? []
    tools = Dictionary(uniqueKeysWithValues: list.map { ($0["name"]?.stringValue ?? "", $0) })
  }

  @Test func `every operation is a tool, except streams and WebSockets`() {
    #expect(table["streamJournal"]?.kind == .events)
    #expect(table["connectHandler"]?.kind == .webSocket)
    #expect(Set(tools.keys) == Set(table.all.filter { $0.kind == .answer }.map(\.id)))
  }

  @Test func `each tool's schema is an object schema that resolves its own references`() {
    func references(_ value: JSONValue) -> [String] {
      (value["$ref"]?.stringValue.map { [$0] } ?? [])
        + (value.objectValue?.values.flatMap(references) ?? value.arrayValue?.flatMap(references) ?? [])
    }
    for (name, tool) in tools {
      for key in ["inputSchema", "outputSchema"] {
        guard let schema = tool[key] else { continue }
        #expect(schema["type"] == "object", "\(name)")
        for reference in references(schema) {
          let definition = reference.split(separator: "/").last.flatMap { schema["$defs"]?[String($0)] }
          #expect(definition != nil, "\(name): \(reference)")
        }
      }
    }
  }

  @BridgeActor @Test func `a tool has readOnlyHint exactly if its route only reads`() {
    let clock = SystemBridgeClock()
    let context = ControlContext(
      entryCodes: OneTimeCodes(clock: clock, random: BridgeRandom()), dashboard: DashboardAccess(clock: clock))
    let routes = ControlAPI.routes(of: BridgeList(), context).filter(\.isReading)
    let reading = Set(routes.map { "\($0.method.rawValue) \($0.path)" })
    for operation in table.all {
      #expect(operation.isReading == reading.contains("\(operation.method) \(operation.path)"), "\(operation.id)")
    }
    #expect(tools["getClock"]?["annotations"]?["readOnlyHint"] == true)
    #expect(tools["waitForJournal"]?["annotations"]?["readOnlyHint"] == true)
    #expect(tools["createPurchase"]?["annotations"]?["destructiveHint"] == false)
    #expect(tools["deleteSession"]?["annotations"]?["destructiveHint"] == true)
  }

  @Test func `arguments become the request, and the error about a wrong one says what is right`() throws {
    let tools = AgentTools(table)
    let call = try tools.call("getJournal", ["session": "s", "limit": 5])
    #expect(call.parameters == ["session": "s", "limit": "5"])
    let answer = try tools.call("answerSheet", ["sheet": "t", "body": ["approved": true]])
    #expect(answer.body == ["approved": true])
    #expect(throws: ArgumentProblem("The argument list needs the member sheet, a text.")) {
      try tools.call("answerSheet", ["body": ["approved": true]])
    }
    #expect(throws: ArgumentProblem(#"body.approved must be true or false, not "yes"."#)) {
      try tools.call("answerSheet", ["sheet": "t", "body": ["approved": "yes"]])
    }
  }
}
