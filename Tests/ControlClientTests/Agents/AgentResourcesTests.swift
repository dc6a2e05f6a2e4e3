import BridgeCore
import ControlClient
import Testing

@testable import Footbridge

@Suite struct AgentResourcesTests {
  private let resources: AgentResources

  init() throws {
    resources = AgentResources(try OperationTable(describedBy: DescriptionRoutes.document))
  }

  @Test func `a resource URI is mapped to a reading operation`() {
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
  func `any other URI is not a resource`(uri: String) {
    #expect(resources.call(uri) == nil)
  }
}
