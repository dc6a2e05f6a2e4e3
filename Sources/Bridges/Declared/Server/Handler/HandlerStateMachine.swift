/// A line for a handler: one JSON object, with its line break.
package struct HandlerLine: Sendable, Hashable {
  /// The text in UTF-8.
  package let bytes: [UInt8]
  /// The session and page that it is about. Lines of one page stay in order.
  package let page: String
  /// The number of the message that it asks about; nil for a line that nobody waits for.
  package let message: Int?
  /// What it tells about the page or the session; nil for a message.
  package let notice: Notice?

  /// A notice about a page or a session.
  package enum Notice: Sendable, Hashable {
    /// It has opened: without this one, the handler does not know it.
    case opened
    /// Something else has become of it.
    case changed
  }

  /// Creates a line.
  package init(_ bytes: [UInt8], page: String, message: Int? = nil, notice: Notice? = nil) {
    (self.bytes, self.page, self.message, self.notice) = (bytes, page, message, notice)
  }

  /// The session of the page.
  var session: String { HandlerStateMachine.session(of: page) }
}

/// Decides which lines wait for a handler, which are on their way, and which messages it has not answered. It is the same for each kind of
/// transport. A pure state machine.
///
/// While the handler is away, lines wait for it. When it goes, messages that it has received and not answered are given up, since they may
/// have had their effect. Everything is bounded.
package struct HandlerStateMachine: Sendable {
  /// The maximum numbers.
  package struct Limits: Sendable {
    /// Messages without an answer.
    package var messages = 1000
    /// Messages of one session without an answer.
    package var messagesPerSession = 100
    /// Lines that wait.
    package var lines = 1000
    /// Lines of one session that wait.
    package var linesPerSession = 250
    /// The bytes of the lines that wait.
    package var bytes = 64 << 20
    /// The bytes of those of one session.
    package var bytesPerSession = 16 << 20
    /// Questions of the handler that a page has not answered.
    package var questions = 1000
    /// Questions to pages of one session.
    package var questionsPerSession = 100
    /// Sheets of the handler that are open.
    package var sheets = 100
    /// Sheets in one session.
    package var sheetsPerSession = 10
    /// The bytes of open sheets, as JSON.
    package var sheetBytes = 64 << 20
    /// The bytes of those in one session.
    package var sheetBytesPerSession = 16 << 20

    /// The usual limits.
    package init() {}
  }

  /// What becomes of a line.
  package enum Delivery: Sendable, Hashable {
    /// It goes out now.
    case send
    /// It waits. `isFirst` says whether it is the first one since the handler went away.
    case wait(isFirst: Bool)
    /// It is lost, since too much waits. If it asks about a message, that has been given up.
    case lost
  }

  /// What an answer of the handler belongs to.
  package enum Verdict: Sendable, Hashable {
    /// A message that waits for it.
    case settle
    /// A message whose page has gone, or which has been given up.
    case late
    /// No message that the handler has received, or one that it has answered before.
    case unknown
  }

  private enum State {
    /// No handler is connected. `hasWaited` says whether a line has waited since then.
    case away(hasWaited: Bool)
    /// The handler is connected, and lines are on their way to it.
    case here(HandlerWindow)
  }

  private struct Message {
    let page: String
    var isSent: Bool

    /// The session of the page.
    var session: String { HandlerStateMachine.session(of: page) }
  }

  private let limits: Limits
  private var state = State.away(hasWaited: false)
  private var waiting = HandlerQueue()
  /// The sessions of which a handler has got a line, up to a limit. At the limit, it may know any.
  private var knownSessions: Set<String> = []
  private static let knownSessionLimit = 10_000
  private var count = 0
  private var messages: [Int: Message] = [:]
  /// Messages that no longer wait for an answer, although the handler may still send one.
  private var givenUp: Set<Int> = []
  private var messageCount: SessionCount
  private var questionCount: SessionCount
  private var sheetCount: SessionCount
  private var sheetByteCount: SessionCount
  /// The sessions and sizes of the open sheets.
  private var sheets: [String: (session: String, byteCount: Int)] = [:]

  /// The state before a handler has connected.
  package init(_ limits: Limits = Limits()) {
    self.limits = limits
    messageCount = SessionCount(limit: limits.messages, sessionLimit: limits.messagesPerSession)
    questionCount = SessionCount(limit: limits.questions, sessionLimit: limits.questionsPerSession)
    sheetCount = SessionCount(limit: limits.sheets, sessionLimit: limits.sheetsPerSession)
    sheetByteCount = SessionCount(limit: limits.sheetBytes, sessionLimit: limits.sheetBytesPerSession)
  }

  /// Whether a handler is connected.
  package var isHere: Bool { if case .here = state { true } else { false } }

  // MARK: To the handler

  /// Opens a message of a page. Returns its number; nil when too many have no answer, in all or of its session.
  package mutating func openMessage(of page: String) -> Int? {
    guard messageCount.begin(Self.session(of: page)) else { return nil }
    count += 1
    messages[count] = Message(page: page, isSent: false)
    return count
  }

  /// Decides what becomes of a new line for the handler.
  package mutating func deliver(_ line: HandlerLine) -> Delivery {
    if waiting.size(of: line.session).count == 0, begin(line) {
      sent(line)
      return .send
    }
    guard mayWait(line) else {
      if let message = line.message { giveUp(message) }
      return .lost
    }
    waiting.append(line)
    guard case .away(let hasWaited) = state else { return .wait(isFirst: false) }
    state = .away(hasWaited: true)
    return .wait(isFirst: !hasWaited)
  }

  /// Whether a line may wait. Alone, it may have any length; so may the first line of a session, if all lines together stay below the limit.
  private func mayWait(_ line: HandlerLine) -> Bool {
    let (count, byteCount) = waiting.size(of: line.session)
    guard waiting.count < limits.lines, count < limits.linesPerSession else { return false }
    if waiting.count == 0 { return true }
    guard waiting.byteCount + line.bytes.count <= limits.bytes else { return false }
    return count == 0 || byteCount + line.bytes.count <= limits.bytesPerSession
  }

  /// A handler has connected. At most `window` lines may be on their way to it, a quarter of them of one session. Returns the lines to send now.
  ///
  /// - Parameter openings: A line for each open page, which tells that it has opened. The handler gets it before the other lines of the
  ///   session, unless one waits for it already.
  package mutating func connected(window: Int, openings: [HandlerLine] = []) -> [HandlerLine] {
    for line in openings.reversed() where !waiting.tellsOpening(of: line.page) { waiting.prepend(line) }
    state = .here(HandlerWindow(window))
    var lines: [HandlerLine] = []
    while let line = next() { lines.append(line) }
    return lines
  }

  /// The handler has taken a line. Returns the line to send now, if there is one.
  package mutating func accepted(_ line: HandlerLine) -> HandlerLine? {
    guard case .here(var onTheirWay) = state else { return nil }
    onTheirWay.end(line)
    state = .here(onTheirWay)
    return next()
  }

  /// The handler has gone. Returns the messages that it has received and not answered.
  package mutating func disconnected() -> [Int] {
    state = .away(hasWaited: false)
    let lost = messages.filter(\.value.isSent).keys.sorted()
    for message in lost { remove(message) }
    return lost
  }

  /// A page has gone. Gives up its messages, and returns them, and whether the handler may know the page. It does not if only notices waited
  /// for it, from the first one on: then they no longer do.
  package mutating func ended(_ page: String) -> (lost: [Int], isKnown: Bool) {
    let lost = messages.filter { $0.value.page == page }.keys.sorted()
    for message in lost { giveUp(message) }
    let stale = removeStale(of: page)
    for message in stale.compactMap(\.message) { givenUp.remove(message) }
    return (lost, !stale.contains { $0.notice == .opened })
  }

  /// A session was deleted. Returns whether the handler may know it: it has got a line about it, or one still waits.
  package mutating func deleted(session: String) -> Bool {
    _ = removeStale(of: session)
    let isFull = knownSessions.count >= Self.knownSessionLimit
    return knownSessions.remove(session) != nil || isFull || waiting.size(of: session).count > 0
  }

  /// Removes what waits about a page or session, if it is only notices, and messages that have been given up.
  private mutating func removeStale(of page: String) -> [HandlerLine] {
    let messages = messages
    return waiting.remove(of: page) { line in
      line.notice != nil || line.message.map { messages[$0] == nil } ?? false
    }
  }

  private mutating func next() -> HandlerLine? {
    guard case .here(let onTheirWay) = state else { return nil }
    while let line = waiting.popFirst(where: onTheirWay.hasRoom) {
      if let message = line.message, messages[message] == nil { continue }
      guard begin(line) else { return nil }
      sent(line)
      return line
    }
    return nil
  }

  /// Whether a line can go to the handler now. Counts it then.
  private mutating func begin(_ line: HandlerLine) -> Bool {
    guard case .here(var onTheirWay) = state, onTheirWay.begin(line) else { return false }
    state = .here(onTheirWay)
    return true
  }

  private mutating func sent(_ line: HandlerLine) {
    if knownSessions.count < Self.knownSessionLimit { knownSessions.insert(line.session) }
    if let message = line.message { messages[message]?.isSent = true }
  }

  /// Removes a message. Returns false if there is none.
  @discardableResult
  private mutating func remove(_ message: Int) -> Bool {
    guard let removed = messages.removeValue(forKey: message) else { return false }
    messageCount.end(removed.session)
    return true
  }

  /// The session of a page, which is the first part of the page's name.
  static func session(of page: String) -> String { String(page.prefix { $0 != "/" }) }

  /// Gives up a message. The handler may still answer it.
  package mutating func giveUp(_ message: Int) {
    guard remove(message) else { return }
    if givenUp.count < limits.messages { givenUp.insert(message) }
  }

  // MARK: From the handler

  /// The handler has answered a message.
  package mutating func answered(_ message: Int) -> Verdict {
    if remove(message) { return .settle }
    return givenUp.remove(message) == nil ? .unknown : .late
  }

  /// Gives up one message, since its line could not be sent. Returns false if it no longer waits for an answer.
  package mutating func fail(_ message: Int) -> Bool { remove(message) }

  /// Whether a message waits for its answer.
  package func isOpen(_ message: Int) -> Bool { messages[message] != nil }

  /// The handler asks a page of a session. Returns false when too many questions are open, in all or in the session.
  package mutating func beginQuestion(in session: String) -> Bool { questionCount.begin(session) }

  /// A page has answered, or has gone.
  package mutating func endQuestion(in session: String) { questionCount.end(session) }

  /// The handler opens a sheet in a session. Returns the reason why it cannot; nil if it can.
  package mutating func open(sheet: String, in session: String, byteCount: Int = 0) -> String? {
    if sheets[sheet] != nil { return "a sheet with the number of one that is open" }
    guard sheetCount.hasRoom(session) else { return "a sheet, of which too many are open" }
    guard sheetByteCount.begin(session, byteCount) else { return "a sheet that is too long beside those that are open" }
    sheetCount.add(session)
    sheets[sheet] = (session, byteCount)
    return nil
  }

  /// A sheet has closed.
  package mutating func close(sheet: String) {
    guard let (session, byteCount) = sheets.removeValue(forKey: sheet) else { return }
    sheetCount.end(session)
    sheetByteCount.end(session, byteCount)
  }
}
