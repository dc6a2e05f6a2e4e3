import DequeModule

/// A line for a handler: one JSON object, with its line break.
package struct HandlerLine: Sendable, Hashable {
  /// The text in UTF-8.
  package let bytes: [UInt8]
  /// The session and page that it tells of. Lines of one page stay in order.
  package let page: String
  /// The number of the message that it asks about; nil for a line that nobody waits for.
  package let message: Int?

  /// Creates a line.
  package init(_ bytes: [UInt8], page: String, message: Int? = nil) {
    (self.bytes, self.page, self.message) = (bytes, page, message)
  }
}

/// What a handler has been told, what it still has to be told, and what it has not answered yet. It is the same for every way to a handler.
///
/// While the handler is away, lines wait for it. A message that it had and did not answer is given up when it goes, since it may have had its
/// effect. Everything is bounded.
package struct HandlerStateMachine: Sendable {
  /// How much there may be of what.
  package struct Bounds: Sendable {
    /// Messages without an answer.
    package var messages = 1000
    /// Lines that wait.
    package var lines = 1000
    /// The bytes of these lines.
    package var bytes = 16 << 20
    /// Questions of the handler that a page has not answered.
    package var questions = 1000
    /// Sheets of the handler that are open.
    package var sheets = 100

    /// The usual bounds.
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

  /// What an answer of the handler is.
  package enum Verdict: Sendable, Hashable {
    /// The answer to a message that waits for it.
    case settle
    /// The answer to a message whose page has gone, or which has been given up.
    case late
    /// The answer to nothing that the handler was asked.
    case unknown
  }

  private enum State {
    /// There is no handler. `hasWaited` says whether a line has come since.
    case away(hasWaited: Bool)
    /// The handler is there. `unwritten` lines are on their way to it, of at most `window`.
    case here(unwritten: Int, window: Int)
  }

  private struct Message {
    let page: String
    var isSent: Bool
  }

  private let bounds: Bounds
  private var state = State.away(hasWaited: false)
  private var waiting = Deque<HandlerLine>()
  private var waitingByteCount = 0
  private var count = 0
  private var messages: [Int: Message] = [:]
  /// Messages that wait for no answer any more, although the handler may have one.
  private var givenUp: Set<Int> = []
  private var questionCount = 0
  private var sheets: Set<String> = []

  /// Nothing has been said, and the handler is away.
  package init(_ bounds: Bounds = Bounds()) { self.bounds = bounds }

  /// Whether there is a handler.
  package var isHere: Bool { if case .here = state { true } else { false } }

  // MARK: To the handler

  /// Opens a message of a page. Returns its number; nil when too many have no answer.
  package mutating func openMessage(of page: String) -> Int? {
    guard messages.count < bounds.messages else { return nil }
    count += 1
    messages[count] = Message(page: page, isSent: false)
    return count
  }

  /// There is a line for the handler.
  package mutating func deliver(_ line: HandlerLine) -> Delivery {
    if case .here(let unwritten, let window) = state, unwritten < window, waiting.isEmpty {
      send(line)
      return .send
    }
    guard waiting.count < bounds.lines, waitingByteCount + line.bytes.count <= bounds.bytes else {
      if let message = line.message { giveUp(message) }
      return .lost
    }
    waiting.append(line)
    waitingByteCount += line.bytes.count
    guard case .away(let hasWaited) = state else { return .wait(isFirst: false) }
    state = .away(hasWaited: true)
    return .wait(isFirst: !hasWaited)
  }

  /// A handler is there, which can have `window` lines on their way. Returns the lines that go out now.
  package mutating func came(window: Int) -> [HandlerLine] {
    state = .here(unwritten: 0, window: window)
    var lines: [HandlerLine] = []
    while let line = next() { lines.append(line) }
    return lines
  }

  /// The handler has taken a line. Returns the one that goes out now.
  package mutating func taken() -> HandlerLine? {
    guard case .here(let unwritten, let window) = state else { return nil }
    state = .here(unwritten: max(unwritten - 1, 0), window: window)
    return next()
  }

  /// The handler has gone. Returns the messages that it had and did not answer.
  package mutating func left() -> [Int] {
    state = .away(hasWaited: false)
    let lost = messages.filter(\.value.isSent).keys.sorted()
    for message in lost { messages[message] = nil }
    return lost
  }

  /// A page has gone. Nobody waits for answers to its messages.
  package mutating func gone(_ page: String) {
    for (number, message) in messages where message.page == page { giveUp(number) }
  }

  private mutating func next() -> HandlerLine? {
    guard case .here(let unwritten, let window) = state, unwritten < window else { return nil }
    while let line = waiting.popFirst() {
      waitingByteCount -= line.bytes.count
      if let message = line.message, messages[message] == nil { continue }
      send(line)
      return line
    }
    return nil
  }

  private mutating func send(_ line: HandlerLine) {
    guard case .here(let unwritten, let window) = state else { return }
    state = .here(unwritten: unwritten + 1, window: window)
    if let message = line.message { messages[message]?.isSent = true }
  }

  private mutating func giveUp(_ message: Int) {
    guard messages.removeValue(forKey: message) != nil else { return }
    if givenUp.count < bounds.messages { givenUp.insert(message) }
  }

  // MARK: From the handler

  /// The handler has answered a message.
  package mutating func answered(_ message: Int) -> Verdict {
    if messages.removeValue(forKey: message) != nil { return .settle }
    return givenUp.remove(message) == nil ? .unknown : .late
  }

  /// Gives up one message that the handler has, since the way to it has failed. Returns false if it has been answered.
  package mutating func fail(_ message: Int) -> Bool { messages.removeValue(forKey: message) != nil }

  /// Whether a message waits for its answer.
  package func isOpen(_ message: Int) -> Bool { messages[message] != nil }

  /// The handler asks a page. Returns false when too many questions are open.
  package mutating func beginQuestion() -> Bool {
    guard questionCount < bounds.questions else { return false }
    questionCount += 1
    return true
  }

  /// A page has answered, or has gone.
  package mutating func endQuestion() { questionCount -= 1 }

  /// The handler opens a sheet. Returns why that is not possible; nil if it is.
  package mutating func open(sheet: String) -> String? {
    if sheets.contains(sheet) { return "a sheet with the number of one that is open" }
    guard sheets.count < bounds.sheets else { return "a sheet, of which too many are open" }
    sheets.insert(sheet)
    return nil
  }

  /// A sheet has closed.
  package mutating func close(sheet: String) { sheets.remove(sheet) }
}
