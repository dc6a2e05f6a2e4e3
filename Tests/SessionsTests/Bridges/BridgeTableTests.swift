import BridgeCore
import BridgeRuntime
import Delivery
import Testing

@testable import Footbridge
@testable import GBGServer
@testable import OnsideServer
@testable import Sessions
@testable import TodayServer

@Suite struct BridgeTableTests {
  private struct Bridge: BridgeDefinition {
    var name = "acme"
    var isEnabled = true
    var messages: BridgeMessageTraits = [.madeByShim]
    var marks = JournalMarks()

    func start(_ server: ServerContext) throws -> BridgeSessionMaker { { _ in Session() } }

    private final class Session: SessionBridge {}
  }

  private func table(_ bridges: Bridge...) -> BridgeTable {
    var list = BridgeList()
    for bridge in bridges { list.register(bridge) }
    return list.makeTable()
  }

  private func name(of action: String, _ table: BridgeTable) -> String? {
    table[table.owners.owner(of: action)]?.name
  }

  @Test(arguments: [
    ("onside.purchase", "onside"), ("onside.", "onside"), ("today.message", "today"), ("capability.query", "gbg"),
    ("", "gbg"), ("a", "gbg"), ("onside", "gbg"), ("onsidepurchase", "gbg"), ("Onside.purchase", "gbg"),
    ("acme.a", "acme"), ("acme", "gbg"), ("acmeacmeacme.a", "acmeacmeacme"), ("acmeacme", "gbg"),
    ("acmeacmeacme", "gbg"), ("footbridge", "gbg"),
  ])
  func `an action belongs to the bridge whose name is its prefix, else to the pages' bridge`(
    action: String, owner: String
  ) {
    #expect(name(of: action, table(Bridge(), Bridge(name: "acmeacmeacme"))) == owner)
  }

  @Test func `the server's own actions belong to no bridge`() {
    let table = table()
    for action in [FootbridgeAction.hello, "footbridge.", "footbridge.other"] {
      #expect(table.owners.owner(of: action) == .footbridge)
      #expect(name(of: action, table) == nil)
    }
  }

  @Test func `a bridge that is switched off has no actions and no sheets`() {
    var list = BridgeList()
    list.change(OnsideDefinition.self) { $0.isEnabled = false }
    list.change(GBGDefinition.self) { $0.configuration.isEnabled = false }
    let table = list.makeTable()
    #expect(table.definitions.map(\.name) == ["today"])
    #expect(table.owners.owner(of: "onside.purchase") == .page && table.owners.owner(of: "a") == .page)
    #expect(table.ruleAction("onside.purchase") == nil && table.ruleAction("footbridge.sheet.login") == nil)
    #expect(table.sheetKinds.isEmpty)
  }

  @Test func `a rule can name existing actions only`() {
    let table = table(Bridge())
    for name in ["onside.purchase", "onside.payment", "today.message", "today.headers", "acme.x", "nfc.read"] {
      #expect(table.ruleAction(name)?.action.name == name)
    }
    for name in ["", "onside.eat", "today.eat", "footbridge.hello", "footbridge.sheet.eat"] {
      #expect(table.ruleAction(name) == nil)
    }
    #expect(table.ruleAction("footbridge.sheet.capture")?.bridge.name == "gbg")
    #expect(table.ruleAction("onside.restore")?.action.kind == .flow)
    #expect(table.ruleAction("onside.purchase")?.action.isHeldBeforehand == true)
  }

  @Test func `a bridge with secret members has the trait holdsSecrets`() {
    let table = table(Bridge(marks: JournalMarks(secretMembers: ["pin"])))
    #expect(table.owners.owner(of: "acme.x").traits.contains(.holdsSecrets))
    #expect(table.marks(of: table.owners.owner(of: "acme.x")).secretMembers == ["pin"])
  }

  @Test func `a registered bridge replaces the one with its name`() {
    var list = BridgeList()
    list.register(Bridge(name: "today"))
    #expect(list.all.map(\.name) == ["onside", "today", "gbg"] && list[TodayDefinition.self] == nil)
  }
}
