package import BridgeCore
package import BridgeRuntime

/// The sheets of one session that wait for an answer.
///
/// Sheets belong to the session, not to a page: if a page reloads while a sheet is open, the sheet opens again.
@BridgeActor
package final class SessionSheets: SheetPresenter {
  /// An open sheet.
  package struct OpenSheet {
    /// The sheet.
    package let sheet: Sheet
    /// The time when it opened, on the session's clock.
    package let openedAt: BridgeInstant
    /// The cursor of its journal entry.
    fileprivate let cursor: Int
    fileprivate let continuation: CheckedContinuation<SheetAnswer, Never>
    /// The rule's outcome that holds back the answer; nil for none.
    fileprivate let hold: RuleDecision?
    /// Whether it was answered but stays open, because a rule holds back the answer.
    fileprivate(set) var isAnswered = false
    /// The page that asked for it, while it is open.
    fileprivate(set) var asker: BridgeHost.ID?
    /// Whether pages may show it.
    fileprivate(set) var isForPages: Bool
  }

  /// The time before pages show a sheet if a test drives the session. By then, the test has answered most sheets, so they need not be drawn.
  private static let pause = Duration.milliseconds(50)

  /// Called when a sheet for the person opens or closes.
  var onChange: (() -> Void)?
  /// Called with a page whose request waits until an open sheet closes.
  var onWait: ((BridgeHost.ID) -> Void)?

  /// Whether a test drives the session, so that pages wait a little before they show a sheet.
  var isDriven = false
  /// Decides the outcome of sheets.
  var rules: SessionRules?
  /// Who answers sheets. With ``PresentationMode/auto``, open sheets are approved as well.
  package var mode: PresentationMode {
    didSet {
      guard mode != oldValue else { return }
      if mode == .auto { for waiting in open { answer(waiting.sheet.id, with: .approve()) } }
      onChange?()
    }
  }
  /// The open sheets, oldest first.
  package private(set) var open: [OpenSheet] = []
  private let clock: any BridgeClock
  private let journal: Journal

  init(mode: PresentationMode, clock: any BridgeClock, journal: Journal) {
    self.mode = mode
    self.journal = journal
    self.clock = clock
  }

  /// The sheets that the person answers in pages, oldest first.
  var sheetsForPages: [OpenSheet] { mode == .page ? open.filter(\.isForPages) : [] }

  package func present(_ sheet: Sheet) async -> SheetAnswer {
    let decided = rules?.decide(sheet)
    let killsApp = decided?.outcome.killsApp == true
    let given = killsApp ? nil : given(by: decided?.outcome)
    if let given, decided?.outcome.isHeld != true {
      note(answer: given, to: sheet, cause: note(opened: sheet))
      return given.automatic
    }
    let sheet = sheet.made
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        open.append(
          OpenSheet(
            sheet: sheet, openedAt: clock.now, cursor: note(opened: sheet), continuation: continuation, hold: decided,
            asker: sheet.asker, isForPages: !isDriven))
        onChange?()
        // Use the machine's clock, since a test may have frozen the session's clock.
        if isDriven {
          Task { [weak self] in
            try? await Task.sleep(for: Self.pause)
            self?.showWhatIsOpen()
          }
        }
        if let given { answer(sheet.id, with: given) }
        if killsApp, let decided { rules?.afterHold(decided) { [weak rules] in rules?.killApp() } }
      }
    } onCancel: {
      // By the time this task runs, the sheet is open, even if the task was cancelled early.
      Task { @BridgeActor in close(sheet.id, with: .cancel) }
    }
  }

  /// Returns the answer that a rule, or the mode, gives without showing the sheet; nil if the sheet must be shown.
  private func given(by outcome: Outcome?) -> SheetAnswer? {
    if case .sheet(let answer) = outcome?.answer { return answer }
    return mode == .auto ? .approve() : nil
  }

  /// Answers an open sheet. It stays open while a rule holds back the answer. Returns false if there is no unanswered sheet with this id.
  @discardableResult
  package func answer(_ id: String, with answer: SheetAnswer) -> Bool {
    guard let index = open.firstIndex(where: { $0.sheet.id == id && !$0.isAnswered }) else { return false }
    guard let rules, let decided = open[index].hold else { return close(id, with: answer) }
    open[index].isAnswered = true
    if decided.outcome.killsApp { return true }
    rules.afterHold(decided) { [weak self] in
      self?.close(id, with: answer)
    }
    return true
  }

  package func noteWaiting(_ asker: BridgeHost.ID) { onWait?(asker) }

  /// Lets pages show all open sheets now.
  func showWhatIsOpen() {
    guard open.contains(where: { !$0.isForPages }) else { return }
    for index in open.indices { open[index].isForPages = true }
    onChange?()
  }

  /// Forgets that an ended page has asked for sheets. Any page can show them.
  func forget(asker: BridgeHost.ID) {
    for index in open.indices where open[index].asker == asker { open[index].asker = nil }
  }

  /// Closes the open sheets of a kind with an answer, whatever rules have decided.
  package func close(kind: String, with answer: SheetAnswer) {
    for waiting in open where waiting.sheet.kind == kind { close(waiting.sheet.id, with: answer) }
  }

  /// Closes an open sheet. Returns false if there is none with this id.
  @discardableResult
  private func close(_ id: String, with answer: SheetAnswer) -> Bool {
    guard let index = open.firstIndex(where: { $0.sheet.id == id }) else { return false }
    let answered = open.remove(at: index)
    note(answer: answer, to: answered.sheet, cause: answered.cursor)
    answered.continuation.resume(returning: answer)
    onChange?()
    return true
  }

  /// Adds an entry whose data is made when somebody reads it, with the marks of now.
  private func note(
    _ kind: JournalEntry.Kind, _ sheet: Sheet, cause: Int?, _ data: @escaping @Sendable () -> [String: JSONValue]
  ) -> Int {
    let marks = journal.marks(nil)
    return journal.append(kind, action: sheet.kind, cause: cause) { marks.marked(data()) }
  }

  private func note(opened sheet: Sheet) -> Int {
    if case .later(let content) = sheet.storedContent, sheet.secretFields.isEmpty {
      return note(.sheetOpened, sheet, cause: Journal.cause) {
        ["id": .string(sheet.id), "content": .object(content())]
      }
    }
    var content = sheet.content
    // A field can begin with a value.
    if let fields = content["fields"]?.arrayValue {
      content["fields"] = .array(
        fields.map { field in
          guard var members = field.objectValue, members["value"] != nil,
            members["name"]?.stringValue.map(sheet.secretFields.contains) ?? false
          else { return field }
          members["value"] = .string(SecretPatterns.mark)
          return .object(members)
        })
    }
    return journal.append(
      .sheetOpened, action: sheet.kind, data: ["id": .string(sheet.id), "content": .object(content)])
  }

  private func note(answer: SheetAnswer, to sheet: Sheet, cause: Int) {
    if answer.fields.isEmpty {
      let (id, isApproved) = (sheet.id, answer.approved)
      _ = note(.sheetAnswered, sheet, cause: cause) {
        ["id": .string(id), "approved": .bool(isApproved), "fields": [:]]
      }
      return
    }
    var fields = answer.fields
    for name in sheet.secretFields where fields[name] != nil { fields[name] = JSONValue.string(SecretPatterns.mark) }
    let data: [String: JSONValue] = [
      "id": .string(sheet.id), "approved": .bool(answer.approved), "fields": .object(fields),
    ]
    journal.append(.sheetAnswered, action: sheet.kind, data: data, cause: cause)
  }
}

/// Receives the person's answers to sheets from the session's pages.
@BridgeActor
final class SheetAnswers: BridgeHandlerFamily {
  private weak var sheets: SessionSheets?

  init(_ sheets: SessionSheets) {
    self.sheets = sheets
  }

  func handleImmediately(request: BridgeMessage, responder: any BridgeResponder) -> Bool {
    guard request.hasAction(withPrefix: "footbridge."), request.action == FootbridgeAction.answerSheet else {
      return false
    }
    let data = request.payload.data ?? [:]
    guard let id = data["id"]?.stringValue, let approved = data["approved"]?.boolValue else {
      let error = BridgeErrorPayload(
        code: "bridge.invalidArguments",
        message: "An answer to a sheet needs id, a text, and approved, true or false.",
        recoverable: false
      )
      responder.respond(status: .error, data: nil, error: error)
      return true
    }
    // The sheet may have been answered elsewhere in the meantime. This is not an error of the page.
    let isOpen = sheets?.answer(id, with: approved ? .approve(data["fields"]?.objectValue ?? [:]) : .cancel) ?? false
    responder.respond(status: .success, data: ["answered": .bool(isOpen)], error: nil)
    return true
  }
}
