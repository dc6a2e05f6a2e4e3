import BridgeCore
import ControlClient
import Footbridge
import Testing

@Suite struct OperationTableTests {
  private let table: OperationTable
  private let words: OperationWords

  init() throws {
    table = try OperationTable(describedBy: DescriptionRoutes.document)
    words = OperationWords(table)
  }

  private func name(_ arguments: String...) -> String? {
    words.match(arguments) { $0.count }?.operation.id
  }

  @Test func `every operation of the document can be named by words, and by its id`() throws {
    for operation in table.all {
      let variables = operation.variables.map { _ in "x" }
      for spelling in [words.of(operation), [operation.id]] {
        let match = try #require(words.match(spelling + variables) { $0.count })
        #expect(match.operation.id == operation.id, "\(spelling)")
        #expect(match.rest == variables)
      }
    }
  }

  @Test func `a GET needs no verb, and an action is named by itself`() {
    #expect(name("sessions") == "listSessions")
    #expect(name("session") == "getSession")
    #expect(name("session", "relaunch") == "relaunchSession")
    #expect(name("sheets") == "listSheets")
    #expect(name("sheets", "answer", "s1") == "answerSheet")
    #expect(name("clock", "advance", "5") == "advanceClock")
    #expect(name("tokens", "fail-next") == "failNextToken")
    #expect(name("journal", "wait") == "waitForJournal")
    #expect(name("bridges", "calls", "acme") == "callPage")
    #expect(name("nothing") == nil)
  }

  @Test func `the number of names decides between a list and its member`() {
    #expect(name("rules") == "listRules")
    #expect(name("rules", "r1") == "getRule")
    #expect(name("rules", "get") == "getRule")
    #expect(name("rules", "delete") == "deleteRules")
    #expect(name("rules", "delete", "r1") == "deleteRule")
  }

  @Test func `bridges handler is the session's handler, and connect-handler that of all sessions`() {
    #expect(name("bridges", "handler", "acme") == "connectSessionHandler")
    #expect(name("connect-handler", "acme") == "connectHandler")
  }

  @Test func `listing(of:) finds the operation that lists a path variable's values`() throws {
    let answer = try #require(table["answerSheet"])
    #expect(table.listing(of: "sheet", in: answer)?.id == "listSheets")
    #expect(table.listing(of: "session", in: answer)?.id == "listSessions")
  }

  @Test func `next(after:) lists the words that may follow`() {
    #expect(words.next(after: ["clock"]) == ["advance", "change"])
    #expect(words.next(after: []).contains("sheets"))
  }

  @Test func `the example of a body matches its schema`() {
    let operations = table.all.filter { $0.example != nil }
    #expect(operations.map(\.id).contains("createRule"))
    for operation in operations {
      #expect(operation.body?.problems(of: operation.example ?? .null) == [], "\(operation.id)")
    }
  }
}
