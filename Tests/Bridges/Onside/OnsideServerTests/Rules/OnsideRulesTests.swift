import Sessions
import Testing

@testable import Footbridge
@testable import OnsideServer

@Suite struct OnsideRulesTests {
  @Test(arguments: [
    "{ on: onside.purchase, then: { error: bridge.bridgeDetached } }",
    "{ on: onside.logout, then: { error: bridge.brokenRequest } }",
    "{ on: onside.shouldContinueTransactionAfterLogin, then: { drop: true } }",
  ])
  func `a rule for contract 1_3 only is refused for docs`(text: String) throws {
    let file = try OptionFile(path: "f.yaml", text: "scenarios: { s: [\(text)] }")
    let rule = try #require(file.scenarios["s"]?.rules.first)
    let objection = OnsideDefinition().rules.objection
    #expect(objection(rule, "docs")?.contains("1.3") == true)
    #expect(objection(rule, "1.3") == nil)
  }
}
