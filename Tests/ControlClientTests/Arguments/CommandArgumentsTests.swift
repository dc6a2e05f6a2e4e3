import BridgeCore
import ControlClient
import Footbridge
import Testing

@Suite struct CommandArgumentsTests {
  private let words: OperationWords

  init() throws {
    words = OperationWords(try OperationTable(describedBy: DescriptionRoutes.document))
  }

  private func command(_ arguments: String..., body: JSONValue? = nil) throws(ArgumentProblem) -> CommandArguments {
    try CommandArguments(arguments, body: body, words)
  }

  private func problem(_ arguments: String..., body: JSONValue? = nil) -> String? {
    do throws(ArgumentProblem) {
      _ = try CommandArguments(arguments, body: body, words)
      return nil
    } catch {
      return error.description
    }
  }

  @Test func `arguments are converted to the types of the schema`() throws {
    let command = try command(
      "sessions", "create", "name=42", "clock.frozen=true", "onsideContract=1.3", "settings.timeRate=6",
      "account:=null")
    #expect(
      command.body == [
        "name": "42", "clock": ["frozen": true], "onsideContract": "1.3", "settings": ["timeRate": 6], "account": nil,
      ])
  }

  @Test func `a value without a name sets the member whose schema it fits`() throws {
    #expect(try command("clock", "advance", "5000").body == ["milliseconds": 5000])
    #expect(try command("clock", "advance", "P1M").body == ["duration": "P1M"])
    #expect(try command("scenario", "begin", "holidays").body == ["name": "holidays"])
    #expect(problem("clock", "advance", "soon")?.contains("such as P1M or PT90S") == true)
    #expect(problem("sessions", "create", "alice")?.contains("Write NAME=alice") == true)
  }

  @Test func `path variables before the last one can be left out`() throws {
    #expect(try command("pages", "requests", "respond", "r1").parameters == ["request": "r1"])
    #expect(try command("pages", "requests", "respond", "p1", "r1").parameters == ["page": "p1", "request": "r1"])
    #expect(try command("sheets", "answer", "approved=true").parameters == [:])
  }

  @Test func `NAME=VALUE sets a query parameter or a member of the body`() throws {
    let journal = try command("journal", "after=5", "kind=request", "session=s")
    #expect(journal.parameters == ["after": "5", "kind": "request", "session": "s"])
    #expect(journal.call.problem == nil)
    let wrong = try command("journal", "after=-1", "session=s").call.problem?.description
    #expect(wrong == "after must be a whole number from 0 to 9007199254740991, not -1.")
  }

  @Test func `a repeated argument makes a list`() throws {
    let declared = try command("bridges", "declare", "acme", "pages=/a", "secret:=[\"x\"]", "secret=y")
    #expect(declared.body == ["pages": "/a", "secret": ["x", "y"]])
  }

  @Test func `a complete body is checked, and arguments are added to it`() throws {
    #expect(try command("sheets", "answer", "s1", body: ["approved": true]).body == ["approved": true])
    let both = try command("sheets", "answer", "s1", "fields.account=a", body: ["approved": true])
    #expect(both.body == ["approved": true, "fields": ["account": "a"]])
    #expect(problem("sheets", "answer", body: ["approved": "yes"])?.contains("true or false") == true)
    #expect(problem("sheets", body: [:])?.contains("takes no body") == true)
  }

  @Test func `sheets approve and sheets dismiss answer a sheet`() throws {
    let approve = try command("sheets", "approve", "s1", "fields.account=built-in")
    #expect(approve.operation.id == "answerSheet")
    #expect(approve.parameters == ["sheet": "s1"])
    #expect(approve.body == ["approved": true, "fields": ["account": "built-in"]])
    #expect(try command("sheets", "dismiss").body == ["approved": false])
  }

  @Test func `an error names the nearest command and the allowed values`() {
    #expect(problem("shets")?.contains("Did you mean sheets?") == true)
    #expect(problem("clock", "frob")?.contains("There are also: clock advance, clock change.") == true)
    #expect(problem("tokens", "fail-next", "error=never")?.contains("unreachable, invalidResponse") == true)
    #expect(problem("session", "change", "platfrom=ios")?.contains("did you mean platform?") == true)
    #expect(problem("session", "change", "platform:=ios")?.contains("needs JSON") == true)
    #expect(
      problem("purchases", "price-increase")
        == "purchases price-increase needs one more word. There are: purchases price-increase consent, purchases price-increase decline, purchases price-increase request."
    )
    #expect(
      problem("purchases", "price-increas")?.contains("price-increas. Did you mean purchases price-increase? It takes")
        == true)
    #expect(problem("session", "relaunch", "now")?.contains("It takes nothing") == true)
  }
}
