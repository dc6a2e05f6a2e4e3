import BridgeCore
import ControlClient
import Testing

@testable import Footbridge

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

  @Test func `each schema is one of an object, and stands alone`() {
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

  @Test func `a tool reads exactly if its route does`() {
    let routes = ControlAPI.routes(of: BridgeList()).filter(\.isReading)
    let reading = Set(routes.map { "\($0.method.rawValue) \($0.path)" })
    for operation in table.all {
      #expect(operation.isReading == reading.contains("\(operation.method) \(operation.path)"), "\(operation.id)")
    }
    #expect(tools["getClock"]?["annotations"]?["readOnlyHint"] == true)
    #expect(tools["waitForJournal"]?["annotations"]?["readOnlyHint"] == true)
    #expect(tools["createPurchase"]?["annotations"]?["destructiveHint"] == false)
    #expect(tools["deleteSession"]?["annotations"]?["destructiveHint"] == true)
  }

  @Test func `arguments become the request, and what does not fit is told`() throws {
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

@Suite struct AgentResourcesTests {
  private let resources: AgentResources

  init() throws {
    resources = AgentResources(try OperationTable(describedBy: DescriptionRoutes.document))
  }

  @Test func `an address names an operation that reads`() {
    let call = resources.call("footbridge://control/sessions/s%201/journal?after=5&kind=request")
    #expect(call?.operation.id == "getJournal")
    #expect(call?.parameters == ["session": "s 1", "after": "5", "kind": "request"])
    #expect(resources.session(of: "footbridge://control/sessions/s/clock") == "s")
    #expect(resources.session(of: "footbridge://control/sessions") == nil)
  }

  @Test(arguments: [
    "footbridge://control/nothing", "footbridge://control/events?session=s",
    "footbridge://control/sessions/s/clock/advance",
    "footbridge://control/sessions/s/journal?after=x", "footbridge://control/sessions/s/journal?what=x",
    "footbridge://control/sessions//journal", "footbridge://control/sessions/%zz", "http://control/sessions", "",
  ])
  func `any other address is none`(uri: String) {
    #expect(resources.call(uri) == nil)
  }
}

@Suite struct AgentLinesTests {
  @Test func `lines are cut, however the input comes`() {
    for size in 1...9 {
      var lines = AgentLines(limit: 4)
      var found: [AgentLines.Line] = []
      var rest = Array("ab\r\n\nabcde\nabcd\nx".utf8)[...]
      while !rest.isEmpty {
        found += lines.read(rest.prefix(size))
        rest = rest.dropFirst(size)
      }
      #expect(found == [.text(Array("ab".utf8)), .tooLong, .text(Array("abcd".utf8))], "\(size)")
    }
  }
}
