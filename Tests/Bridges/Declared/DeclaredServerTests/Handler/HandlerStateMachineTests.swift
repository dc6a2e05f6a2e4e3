import Testing

@testable import DeclaredServer
@testable import Sessions

@Suite struct HandlerStateMachineTests {
  private var machine: HandlerStateMachine

  init() {
    var limits = HandlerStateMachine.Limits()
    (limits.messages, limits.lines, limits.bytes, limits.questions, limits.sheets) = (3, 3, 30, 1, 1)
    machine = HandlerStateMachine(limits)
  }

  private func line(
    _ text: String, page: String = "s/page-1", message: Int? = nil, notice: HandlerLine.Notice? = nil
  ) -> HandlerLine {
    HandlerLine(Array(text.utf8), page: page, message: message, notice: notice)
  }

  private func expect<Value: Equatable>(
    _ value: Value, _ expected: Value, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(value == expected, sourceLocation: sourceLocation)
  }

  private mutating func open(_ page: String) throws -> Int {
    let number = machine.openMessage(of: page)
    return try #require(number)
  }

  @Test mutating func `lines wait while the handler is disconnected, and are sent in order when it connects`() {
    expect(machine.deliver(line("a")), .wait(isFirst: true))
    expect(machine.deliver(line("b")), .wait(isFirst: false))
    expect(machine.connected(window: 12), [line("a"), line("b")])
    expect(machine.deliver(line("c")), .send)
  }

  @Test mutating func `a line is sent after the lines that wait`() {
    expect(machine.connected(window: 1), [])
    expect(machine.deliver(line("a")), .send)
    expect(machine.deliver(line("b")), .wait(isFirst: false))
    expect(machine.accepted(line("a")), line("b"))
    expect(machine.deliver(line("c")), .wait(isFirst: false))
    expect(machine.accepted(line("b")), line("c"))
    expect(machine.accepted(line("c")), nil)
    expect(machine.deliver(line("d")), .send)
  }

  @Test mutating func `lines above the limits of count and bytes are dropped with their messages`() throws {
    let message = try open("s/page-1")
    expect(machine.deliver(line("a")), .wait(isFirst: true))
    expect(machine.deliver(line(String(repeating: "x", count: 30), message: message)), .lost)
    #expect(!machine.isOpen(message))
    for text in ["b", "c"] { _ = machine.deliver(line(text)) }
    expect(machine.deliver(line("d")), .lost)
  }

  @Test mutating func `one line can wait, however long it is`() {
    let long = line(String(repeating: "x", count: 31))
    expect(machine.deliver(long), .wait(isFirst: true))
    expect(machine.deliver(line("a")), .lost)
    expect(machine.connected(window: 10), [long])
  }

  @Test mutating func `a disconnected handler loses its open messages, and gets the waiting lines when it reconnects`()
    throws
  {
    let first = try open("s/page-1")
    _ = machine.connected(window: 1)
    expect(machine.deliver(line("a", message: first)), .send)
    let second = try open("s/page-1")
    _ = machine.deliver(line("b", message: second))
    expect(machine.disconnected(), [first])
    expect(machine.answered(first), .unknown)
    expect(machine.deliver(line("c")), .wait(isFirst: true))
    expect(machine.connected(window: 10), [line("b", message: second), line("c")])
    expect(machine.answered(second), .settle)
    expect(machine.answered(second), .unknown)
  }

  @Test mutating func `the messages of a page that has ended are given up, and its waiting lines are not sent`() throws
  {
    let sent = try open("s/page-1")
    let other = try open("s/page-2")
    let waiting = try open("s/page-1")
    _ = machine.connected(window: 1)
    _ = machine.deliver(line("a", message: sent))
    _ = machine.deliver(line("b", message: waiting))
    _ = machine.deliver(line("c", message: other))
    expect(machine.ended("s/page-1").lost, [sent, waiting])
    expect(machine.accepted(line("a")), line("c", message: other))
    expect(machine.answered(sent), .late)
    expect(machine.answered(sent), .unknown)
    expect(machine.answered(other), .settle)
  }

  @Test mutating func `open messages are limited`() {
    for number in 1...3 { expect(machine.openMessage(of: "s/page-1"), number) }
    expect(machine.openMessage(of: "s/page-1"), nil)
    expect(machine.answered(2), .settle)
    expect(machine.openMessage(of: "s/page-1"), 4)
  }

  @Test mutating func `questions and sheets are limited, and a sheet's number must be unique`() {
    expect(machine.beginQuestion(in: "s"), true)
    expect(machine.beginQuestion(in: "s"), false)
    machine.endQuestion(in: "s")
    expect(machine.beginQuestion(in: "s"), true)
    expect(machine.open(sheet: "1", in: "s"), nil)
    expect(machine.open(sheet: "1", in: "s"), "a sheet with the number of one that is open")
    expect(machine.open(sheet: "2", in: "s"), "a sheet, of which too many are open")
    machine.close(sheet: "1")
    expect(machine.open(sheet: "2", in: "s"), nil)
  }

  @Test func `a session at its limits leaves room for others`() {
    var machine = HandlerStateMachine()
    for number in 1...100 { #expect(machine.openMessage(of: "s/page-\(number)") == number) }
    #expect(machine.openMessage(of: "s/page-1") == nil)
    #expect(machine.openMessage(of: "t/page-1") == 101)
    _ = machine.ended("s/page-1")
    #expect(machine.openMessage(of: "s/page-2") == 102)
    for _ in 1...100 { expect(machine.beginQuestion(in: "s"), true) }
    expect(machine.beginQuestion(in: "s"), false)
    expect(machine.beginQuestion(in: "t"), true)
    for number in 1...10 { #expect(machine.open(sheet: "s \(number)", in: "s") == nil) }
    #expect(machine.open(sheet: "s 11", in: "s") == "a sheet, of which too many are open")
    #expect(machine.open(sheet: "t 1", in: "t") == nil)
  }

  // MARK: Turns

  @Test mutating func `sessions take turns, and lines of one session stay in order`() {
    machine = HandlerStateMachine()
    expect(machine.connected(window: 1), [])
    expect(machine.deliver(line("a1", page: "a/page-1")), .send)
    for text in ["a2", "a3"] { expect(machine.deliver(line(text, page: "a/page-1")), .wait(isFirst: false)) }
    expect(machine.deliver(line("b1", page: "b/page-1")), .wait(isFirst: false))
    var order: [String] = []
    var last = line("a1", page: "a/page-1")
    while let next = machine.accepted(last) {
      order.append(String(decoding: next.bytes, as: UTF8.self))
      last = next
    }
    #expect(order == ["a2", "b1", "a3"])
  }

  @Test mutating func `one session has at most a quarter of the lines that are on their way`() {
    machine = HandlerStateMachine()
    expect(machine.connected(window: 8), [])
    for text in ["a1", "a2"] { expect(machine.deliver(line(text, page: "a/page-1")), .send) }
    expect(machine.deliver(line("a3", page: "a/page-2")), .wait(isFirst: false))
    expect(machine.deliver(line("b1", page: "b/page-1")), .send)
    expect(machine.accepted(line("b1", page: "b/page-1")), nil)
    expect(machine.accepted(line("a1", page: "a/page-1")), line("a3", page: "a/page-2"))
  }

  @Test mutating func `long lines are on their way one after the other, and leave room for short ones of others`() {
    machine = HandlerStateMachine()
    expect(machine.connected(window: 1000), [])
    let long = String(repeating: "x", count: 5 << 20)
    for session in ["a", "b", "c"] { expect(machine.deliver(line(long, page: "\(session)/page-1")), .send) }
    expect(machine.deliver(line("a2", page: "a/page-1")), .wait(isFirst: false))
    expect(machine.deliver(line("d1", page: "d/page-1")), .send)
    expect(machine.deliver(line(long, page: "e/page-1")), .send)
    expect(machine.deliver(line("f1", page: "f/page-1")), .wait(isFirst: false))
    expect(machine.accepted(line(long, page: "b/page-1")), line("f1", page: "f/page-1"))
    expect(machine.accepted(line(long, page: "a/page-1")), line("a2", page: "a/page-1"))
  }

  @Test mutating func `lines of one session that wait leave room for those of others`() {
    var limits = HandlerStateMachine.Limits()
    (limits.linesPerSession, limits.bytesPerSession) = (2, 10)
    machine = HandlerStateMachine(limits)
    expect(machine.deliver(line("a1", page: "a/page-1")), .wait(isFirst: true))
    expect(machine.deliver(line(String(repeating: "x", count: 9), page: "a/page-1")), .lost)
    expect(machine.deliver(line("a2", page: "a/page-1")), .wait(isFirst: false))
    expect(machine.deliver(line("a3", page: "a/page-1")), .lost)
    expect(machine.deliver(line(String(repeating: "x", count: 20), page: "b/page-1")), .wait(isFirst: false))
  }

  @Test mutating func `pages and sessions that have gone leave no notices for a handler that has never connected`()
    throws
  {
    for number in 1...10 {
      let (session, page) = ("s\(number)", "s\(number)/page-1")
      expect(machine.deliver(line("o", page: page, notice: .opened)), .wait(isFirst: number == 1))
      let message = try open(page)
      expect(machine.deliver(line("m", page: page, message: message)), .wait(isFirst: false))
      let ended = machine.ended(page)
      #expect(ended.lost == [message] && !ended.isKnown)
      expect(machine.deliver(line("c", page: session, notice: .changed)), .wait(isFirst: false))
      expect(machine.deleted(session: session), false)
    }
    expect(machine.connected(window: 12), [])
  }

  @Test mutating func `a handler that connects is told of open pages before what waits about them, and once`() throws {
    _ = machine.connected(window: 12)
    _ = machine.deliver(line("a", notice: .opened))
    _ = machine.disconnected()
    let message = try open("s/page-1")
    _ = machine.deliver(line("m", message: message))
    _ = machine.deliver(line("b", page: "s/page-2", notice: .opened))
    let openings = [line("a", notice: .opened), line("b", page: "s/page-2", notice: .opened)]
    expect(
      machine.connected(window: 12, openings: openings),
      [line("a", notice: .opened), line("m", message: message), line("b", page: "s/page-2", notice: .opened)])
  }

  @Test mutating func `a handler that knows a page or has a message of it to come is told that it has gone`() {
    _ = machine.deliver(line("o", notice: .opened))
    _ = machine.deliver(line("m"))
    let waiting = machine.ended("s/page-1")
    #expect(waiting.isKnown)
    expect(machine.deleted(session: "s"), true)
    expect(machine.connected(window: 12), [line("o", notice: .opened), line("m")])
    _ = machine.disconnected()
    _ = machine.deliver(line("c", notice: .changed))
    let known = machine.ended("s/page-1")
    #expect(known.isKnown)
    expect(machine.deleted(session: "s"), true)
    expect(machine.deleted(session: "s"), false)
  }

  @Test func `open sheets are limited in bytes, in all and in a session`() {
    var machine = HandlerStateMachine()
    let part = 4 << 20
    for number in 1...4 { #expect(machine.open(sheet: "s \(number)", in: "s", byteCount: part) == nil) }
    #expect(machine.open(sheet: "s 5", in: "s", byteCount: 1) == "a sheet that is too long beside those that are open")
    for number in 1...12 {
      #expect(machine.open(sheet: "\(number)", in: "\(number % 3)", byteCount: part) == nil)
    }
    #expect(machine.open(sheet: "t", in: "t", byteCount: 1) != nil)
    machine.close(sheet: "s 1")
    #expect(machine.open(sheet: "t", in: "t", byteCount: part) == nil)
    #expect(machine.open(sheet: "s 5", in: "s", byteCount: 1) != nil)
  }
}
