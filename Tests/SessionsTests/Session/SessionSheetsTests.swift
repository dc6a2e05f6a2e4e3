import BridgeCore
import BridgeRuntime
import Testing

@testable import Sessions

@Suite @BridgeActor struct SessionSheetsTests {
  private let clock = ManualBridgeClock()
  private let login = Sheet(id: "1", kind: "login", content: [:])
  private let payment = Sheet(id: "2", kind: "payment", content: [:])

  @Test func `in auto mode every sheet is approved at once`() async {
    let sheets = SessionSheets(mode: .auto, clock: clock, journal: Journal(clock: clock))
    #expect(await sheets.present(login) == .approve().automatic)
    #expect(sheets.open.isEmpty)
  }

  @Test func `the journal makes the content of an automatic sheet when it is read, with the marks of its time`() async {
    let journal = Journal(clock: clock, marks: { _ in JournalMarks(secrets: ["pin"]) })
    let sheets = SessionSheets(mode: .auto, clock: clock, journal: journal)
    let content = SheetContent.later { ["pin": "1234", "price": 1] }
    #expect(await sheets.present(Sheet(id: "3", kind: "payment", content: content)) == .approve().automatic)
    journal.marks = { _ in JournalMarks() }
    let entries = journal.entries(after: 0, limit: 10).entries.map(\.json)
    #expect(entries.map { $0["kind"] } == ["sheetOpened", "sheetAnswered"])
    #expect(entries.map { $0["action"] } == ["payment", "payment"])
    #expect(entries[0]["data"] == ["id": "3", "content": ["pin": .string(JournalMarks.secret), "price": 1]])
    #expect(entries[1]["data"] == ["id": "3", "approved": true, "fields": [:]])
    #expect(entries[1]["cause"] == entries[0]["cursor"])
  }

  @Test func `the content of a sheet that opens is made once`() async {
    let sheets = SessionSheets(mode: .control, clock: clock, journal: Journal(clock: clock))
    let sheet = Sheet(id: "3", kind: "payment", content: SheetContent.later { ["price": 1] })
    let answer = Task { await sheets.present(sheet) }
    while sheets.open.isEmpty { await Task.yield() }
    guard case .members(["price": 1])? = sheets.open.first?.sheet.storedContent else {
      Issue.record("The content is not made.")
      return
    }
    sheets.answer("3", with: .cancel)
    #expect(await answer.value == .cancel)
  }

  @Test func `open sheets are listed oldest first, and wait for their answers`() async {
    let sheets = SessionSheets(mode: .page, clock: clock, journal: Journal(clock: clock))
    let changes = AsyncStream.makeStream(of: Void.self)
    sheets.onChange = { changes.continuation.yield() }
    var changed = changes.stream.makeAsyncIterator()
    let first = Task { await sheets.present(login) }
    await changed.next()
    let second = Task { await sheets.present(payment) }
    await changed.next()
    #expect(sheets.sheetsForPages.map(\.sheet) == [login, payment])
    #expect(sheets.answer("1", with: .approve(["account": "a"])))
    #expect(sheets.sheetsForPages.map(\.sheet) == [payment])
    #expect(sheets.answer("2", with: .cancel))
    #expect(await first.value == .approve(["account": "a"]))
    #expect(await second.value == .cancel)
    #expect(!sheets.answer("2", with: .approve()))
  }

  @Test func `in control mode no sheet is shown in the page`() async {
    let sheets = SessionSheets(mode: .control, clock: clock, journal: Journal(clock: clock))
    let changes = AsyncStream.makeStream(of: Void.self)
    sheets.onChange = { changes.continuation.yield() }
    var changed = changes.stream.makeAsyncIterator()
    let answer = Task { await sheets.present(login) }
    await changed.next()
    #expect(sheets.sheetsForPages.isEmpty)
    #expect(sheets.open.map(\.sheet) == [login])
    sheets.answer("1", with: .approve())
    #expect(await answer.value.approved)
  }

  @Test func `a page of a driven session shows a sheet only if it is not answered soon`() async {
    let sheets = SessionSheets(mode: .page, clock: clock, journal: Journal(clock: clock))
    sheets.isDriven = true
    let changes = AsyncStream.makeStream(of: [String].self)
    sheets.onChange = { [unowned sheets] in changes.continuation.yield(sheets.sheetsForPages.map(\.sheet.id)) }
    var changed = changes.stream.makeAsyncIterator()
    let first = Task { await sheets.present(login) }
    #expect(await changed.next() == [])
    #expect(await changed.next() == ["1"])
    sheets.answer("1", with: .cancel)
    #expect(await changed.next() == [])
    let second = Task { await sheets.present(payment) }
    #expect(await changed.next() == [])
    sheets.showWhatIsOpen()
    #expect(await changed.next() == ["2"])
    sheets.answer("2", with: .cancel)
    _ = (await first.value, await second.value)
  }

  @Test func `a sheet is dismissed when its caller is cancelled`() async {
    let sheets = SessionSheets(mode: .page, clock: clock, journal: Journal(clock: clock))
    let presentation = Task { await sheets.present(login) }
    presentation.cancel()
    #expect(await presentation.value == .cancel)
    #expect(sheets.open.isEmpty)
  }

  @Test func `close answers all sheets of a kind, held or not`() async {
    let (sheets, _) = sheets(.page, "login", Outcome(gate: "g"))
    let logins = [login, Sheet(id: "3", kind: "login", content: [:])].map { login in
      Task { await sheets.present(login) }
    }
    let other = Task { await sheets.present(payment) }
    while sheets.open.count < 3 { await Task.yield() }
    #expect(sheets.answer("1", with: .cancel))
    sheets.close(kind: "login", with: .approve(["account": "a"]))
    for login in logins { #expect(await login.value == .approve(["account": "a"])) }
    #expect(sheets.open.map(\.sheet) == [payment])
    other.cancel()
    _ = await other.value
  }

  /// Sheets of a session with one rule.
  private func sheets(_ mode: PresentationMode, _ kind: String, _ outcome: Outcome) -> (SessionSheets, SessionRules) {
    let sheets = SessionSheets(mode: mode, clock: clock, journal: Journal(clock: clock))
    let rules = SessionRules(clock: clock)
    let name = RuleAction.sheetPrefix + kind
    _ = rules.add(Rule(id: nil, on: name, pattern: .anyObject, times: .once, outcome: outcome, source: .null))
    sheets.rules = rules
    return (sheets, rules)
  }

  @Test func `a rule answers a sheet`() async {
    let (sheets, _) = sheets(.control, "login", Outcome(answer: .sheet(.approve(["account": "a"]))))
    #expect(await sheets.present(login) == .approve(["account": "a"]).automatic)
    #expect(sheets.open.isEmpty)
  }

  @Test(arguments: [PresentationMode.page, .auto])
  func `a sheet whose answer is held stays open, and the first answer is used`(mode: PresentationMode) async {
    let (sheets, rules) = sheets(mode, "login", Outcome(gate: "g"))
    let presentation = Task { await sheets.present(login) }
    while sheets.open.isEmpty { await Task.yield() }
    if mode == .page { #expect(sheets.answer("1", with: .approve())) }
    while rules.holds.isEmpty { await Task.yield() }
    #expect(sheets.open.map(\.sheet) == [login])
    #expect(!sheets.answer("1", with: .cancel))
    _ = rules.openGate("g")
    #expect(await presentation.value == .approve())
    #expect(sheets.open.isEmpty)
  }

  @Test func `a sheet whose answer is held is dismissed when its caller is cancelled`() async {
    let (sheets, rules) = sheets(.auto, "login", Outcome(gate: "g"))
    let presentation = Task { await sheets.present(login) }
    while rules.holds.isEmpty { await Task.yield() }
    presentation.cancel()
    #expect(await presentation.value == .cancel)
    #expect(sheets.open.isEmpty)
  }
}
