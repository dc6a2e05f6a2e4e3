import BridgeCore
import Testing

@testable import Delivery

/// What becomes of the messages of a page, without a page, a socket and a server.
@Suite struct PageLinkTests {
  private static let shimID = "s"
  private static let owners = owners(others: .page)

  private static func owners(others: ActionOwner) -> ActionOwners {
    ActionOwners(
      [("onside.", ActionOwner(traits: [.madeByShim, .tellsOfState], index: 0)), ("footbridge.", .footbridge)],
      others: others)
  }

  private func link(
    shimID: String? = shimID, record: PageRecord? = nil, openCalls: Int = 10, callBytes: Int = 1000,
    isDurable: Bool = false, others: ActionOwner = .page,
    space: SessionSpace = SessionSpace(callByteLimit: 1 << 20, of: SessionSpace(byteLimit: 1 << 30))
  ) -> PageLink {
    PageLink(
      id: "page-1", shimID: shimID, record: record, owners: Self.owners(others: others),
      limits: LinkLimits(
        messageBytes: 2000, messageValues: 100, callBytes: callBytes, openCalls: openCalls),
      space: space, isDurable: isDurable)
  }

  private func text(
    _ id: String, _ action: String = "onside.buy", type: BridgeMessageType = .request, data: String = "{}"
  ) -> String {
    #"{"version":"1.0","correlationId":"\#(id)","type":"\#(type)","timestamp":1,"payload":{"action":"\#(action)","data":\#(data)}}"#
  }

  private func event(_ action: String = "onside.told") -> BridgeMessage {
    message(.event, id: "e", action)
  }

  private func message(_ type: BridgeMessageType, id: String, _ action: String) -> BridgeMessage {
    BridgeMessage(
      version: "1.0", correlationId: id, type: type, timestamp: 1,
      payload: BridgePayload(action: action, data: nil, status: type == .response ? .success : nil, error: nil))
  }

  // MARK: Calls

  @Test func `a call that arrives twice runs once, and its answer is sent twice`() throws {
    let link = link()
    link.connected()
    link.beginTurn(isFromSocket: true)
    let request = try link.take(text("footbridge-1"))
    #expect(link.fate(of: text("footbridge-1")) == "wait")
    #expect(link.respond(to: request).way == "socket")
    #expect(link.fate(of: text("footbridge-1")) == "answer: socket")
  }

  @Test func `an answer of the page that arrives twice counts once`() {
    let link = link()
    let fates = ["a", "b", "a", "b"].map { link.fate(of: text($0, type: .response)) }
    #expect(fates == ["handle", "handle", "ignore", "ignore"])
    // The page has ended, and one of its requests comes late.
    let next = self.link()
    next.remember(link.departed(answerByteLimit: 1000))
    #expect(["b", "c"].map { next.fate(of: text($0, type: .response)) } == ["ignore", "handle"])
  }

  @Test func `a call of a page that has left is refused when it comes again`() throws {
    let link = link()
    link.connected()
    _ = try link.take(text("footbridge-1"))
    let next = self.link()
    next.remember(link.departed(answerByteLimit: 1000))
    next.connected()
    #expect(next.fate(of: text("footbridge-1")) == "refuse: pageLeft")
    #expect(next.endsWithConnection)
  }

  @Test func `a remembered page forgets answers above its limit, but not that the calls have run`() throws {
    let link = link()
    link.connected()
    for id in ["footbridge-1", "footbridge-2"] { link.respond(to: try link.take(text(id))) }
    let next = self.link()
    next.remember(link.departed(answerByteLimit: 100))
    next.connected()
    #expect(next.fate(of: text("footbridge-1")) == "refuse: answerDeleted")
    #expect(next.fate(of: text("footbridge-3")) == "handle")
  }

  @Test func `a hello is never a repeated call`() {
    let link = link()
    link.connected()
    for _ in 0..<2 { #expect(link.fate(of: text("footbridge-shim-1", "footbridge.hello")) == "handle") }
  }

  @Test func `a client without a shim may use an id for many calls`() {
    let link = link(shimID: nil)
    link.connected()
    for _ in 0..<2 { #expect(link.fate(of: text("1")) == "handle") }
  }

  @Test func `calls above the limits are refused`() throws {
    let link = link(openCalls: 2, callBytes: 300)
    link.connected()
    #expect(link.fate(of: "no envelope") == "unreadable")
    let long = #"{"a":"\#(String(repeating: "x", count: 300))"}"#
    #expect(link.fate(of: text("footbridge-1", data: long)) == "refuse: tooLarge")
    #expect(link.fate(of: text("1", "nfc.read", data: long)) == "handle")
    for id in ["2", "3"] { _ = try link.take(text(id, "nfc.read")) }
    #expect(link.openCallCount == 2)
    #expect(link.fate(of: text("4", "nfc.read")) == "refuse: tooManyCalls")
  }

  @Test func `calls that all pages together cannot hold are refused, and a session leaves room for others`() throws {
    let size = text("1", "nfc.read").utf8.count + OpenCalls.overhead
    let server = SessionSpace(byteLimit: 5 * size)
    let links = (0..<2).map { _ in link(space: SessionSpace(callByteLimit: 4 * size, of: server)) }
    for id in ["1", "2", "3"] {
      #expect(links[0].fate(of: text(id, "nfc.read")) == "handle")
      _ = try links[0].take(text(id, "nfc.read"))
    }
    #expect(links[0].fate(of: text("4", "nfc.read")) == "refuse: callsTooLarge")
    _ = try links[1].take(text("1", "nfc.read"))
    #expect(links[1].fate(of: text("2", "nfc.read")) == "refuse: callsTooLarge")
    links[0].ended()
    #expect(links[1].fate(of: text("2", "nfc.read")) == "handle")
  }

  @Test func `of the messages stored for pages, those above the limit of all pages are forgotten`() throws {
    let server = SessionSpace(byteLimit: 2000)
    let link = link(space: SessionSpace(callByteLimit: 1 << 20, of: server))
    link.connected()
    link.beginTurn(isFromSocket: true)
    for id in 1...20 { link.respond(to: try link.take(text("footbridge-\(id)"))) }
    #expect(link.fate(of: text("footbridge-1")) == "refuse: answerDeleted")
    #expect(link.fate(of: text("footbridge-20")) == "answer: socket")
    for _ in 0..<20 { _ = link.send(event()) }
    #expect(server.messages.count <= 2000)
    link.ended()
    #expect(server.messages.count == 0)
  }

  @Test func `a refusal has the code of the bridge that the page has called`() {
    let onside = Self.owners.owner(of: "onside.buy")
    let codes = [Refusal.pageLeft, .answerDeleted, .tooLarge("x"), .tooManyCalls, .callsTooLarge].map {
      [$0.error(for: onside).code, $0.error(for: .page).code]
    }
    #expect(
      codes == [
        ["bridge.brokenRequest", "ANSWER_FORGOTTEN"], ["bridge.brokenRequest", "ANSWER_FORGOTTEN"],
        ["bridge.parametersNotRepresentable", "MESSAGE_TOO_LARGE"], ["bridge.brokenRequest", "BUSY"],
        ["bridge.brokenRequest", "BUSY"],
      ])
  }

  @Test func `an answer knows its call, also when it comes later`() throws {
    let link = link()
    link.connected()
    let request = try link.take(text("footbridge-1"), cursor: 7, start: 3)
    #expect(link.respond(to: request, status: .acknowledged).answered?.cursor == 7)
    #expect(link.acknowledgedAction(of: "footbridge-1") == "onside.buy")
    let answered = link.send(message(.response, id: "footbridge-1", "onside.buy")).answered
    #expect(answered == AnsweredCall(owner: Self.owners.owner(of: "onside.buy"), cursor: 7, wait: .later(start: 3)))
    #expect(link.acknowledgedAction(of: "footbridge-1") == nil)
  }

  @Test func `an answer that is given during the handling has waited for nothing`() throws {
    let link = link()
    link.connected()
    guard case .handle(let request, let call) = link.read(text("footbridge-1")) else { throw NotHandled() }
    link.begin(request, call, byteCount: 1, cursor: 1, start: 5)
    #expect(link.respond(to: request).answered?.wait == .atOnce(start: 5))
    link.endHandling(at: 6)
    #expect(link.openCallCount == 0)
  }

  @Test func `an answer is the same text, whether it is written into a frame or not`() throws {
    let answer = BridgeAnswer(status: .success, text: Array(#"{"a":1}"#.utf8))
    let (copied, written) = (link(), link())
    copied.connected()
    written.connected()
    let text = copied.answer(answer, to: try copied.take(self.text("footbridge-1")), timestamp: 2).text
    let request = try written.take(self.text("footbridge-1"))
    #expect(written.room(for: answer, to: request) == nil, "No message has come on the connection.")
    written.beginTurn(isFromSocket: true)
    let room = try #require(written.room(for: answer, to: request))
    let frame = [UInt8](unsafeUninitializedCapacity: room) { memory, count in
      count = written.write(answer, to: request, timestamp: 2, into: memory).byteCount
    }
    #expect(frame == text)
    #expect(written.fate(of: self.text("footbridge-1")) == "answer: socket")
  }

  @Test func `only a page's own request counts as unhandled`() throws {
    let link = link()
    link.connected()
    let requests = [try link.take(text("1", "nfc.read")), try link.take(text("footbridge-1"))]
    #expect(link.isAnswering)
    #expect(requests.map { link.isUnhandled($0) } == [true, false])
    #expect(link.isAnswering)
    link.respond(to: requests[1])
    #expect(!link.isAnswering)
  }

  // MARK: Numbered calls

  /// A message that the page has posted itself, and that the shim has numbered.
  private func numbered(_ number: Int, _ id: String, _ action: String = "nfc.read") -> String {
    text(id, action).dropLast() + #","footbridgeCall":\#(number)}"#
  }

  @Test func `two open calls with one id have an answer each`() throws {
    let link = link()
    link.connected()
    let first = try link.take(text("1", "nfc.read"))
    let second = try link.take(numbered(5, "1"))
    #expect(link.openCallCount == 2)
    let answers = [link.respond(to: second), link.respond(to: first)]
    #expect(answers.map(\.id) == ["1", "1"] && answers.map(\.number) == [5, nil])
    #expect(link.openCallCount == 0)
  }

  @Test func `a numbered call belongs to the page, whatever its action and id look like`() throws {
    let link = link()
    link.connected()
    let shims = try link.take(text("footbridge-1"))
    guard case .handle(let request, let call) = link.read(numbered(5, "footbridge-1", "onside.buy")) else {
      throw NotHandled()
    }
    #expect(call.owner == .page && request.correlationId == "footbridge-1")
    link.begin(request, call, byteCount: 1, cursor: 7, start: 0)
    link.endHandling(at: 1)
    #expect(link.respond(to: shims).number == nil)
    let answer = link.respond(to: request)
    #expect(answer.number == 5 && answer.answered?.cursor == 7)
  }

  @Test func `a response without its request answers the open call with its id`() throws {
    let link = link()
    link.connected()
    _ = try link.take(text("footbridge-1"))
    for number in 5...6 { _ = try link.take(numbered(number, "footbridge-1"), cursor: number) }
    func respond(_ action: String) -> Int? { link.send(message(.response, id: "footbridge-1", action)).number }
    #expect(respond("nfc.read") == 5)
    #expect(respond("onside.buy") == nil, "The answer to the shim's call.")
    #expect(respond("nfc.read") == 6)
    #expect(link.openCallCount == 0)
  }

  @Test func `an earlier call without a number is answered before numbered ones with its id`() throws {
    let link = link()
    link.connected()
    _ = try link.take(text("1", "nfc.read"))
    _ = try link.take(numbered(5, "1"))
    #expect((0..<2).map { _ in link.send(message(.response, id: "1", "nfc.read")).number } == [nil, 5])
  }

  @Test func `an acknowledged numbered call is found by the page's id`() throws {
    let link = link()
    link.connected()
    let request = try link.take(numbered(5, "footbridge-1", "today.show"))
    link.respond(to: request, status: .acknowledged)
    #expect(link.acknowledgedAction(of: "footbridge-1") == "today.show")
    #expect(link.send(message(.response, id: "footbridge-1", "today.show")).number == 5)
    #expect(link.acknowledgedAction(of: "footbridge-1") == nil)
  }

  @Test func `a numbered call about the stored state runs once, also in the next run of the server`() throws {
    let others = ActionOwner(traits: .tellsOfState, index: 1)
    let link = link(isDurable: true, others: others)
    link.connected()
    link.beginTurn(isFromSocket: true)
    link.respond(to: try link.take(numbered(5, "1", "onside.buy")))
    #expect(link.fate(of: numbered(5, "1", "onside.buy")) == "answer: store")
    let taken = link.takeChange()
    #expect(taken?.answers.map(\.correlationId) == ["footbridge-page-5"])
    #expect(link.dropLost { _ in true }.isEmpty, "The action only looks like that of a bridge.")
    let next = self.link(record: PageRecord(answers: taken?.answers ?? []), isDurable: true, others: others)
    next.connected()
    next.beginTurn(isFromSocket: true)
    #expect(next.fate(of: numbered(5, "1", "onside.buy")) == "answer: store")
    #expect(next.fate(of: numbered(6, "1", "onside.buy")) == "handle")
  }

  @Test func `a number that the shim does not give is ignored`() throws {
    let link = link()
    link.connected()
    for value in ["0", "-1", "1.5", "1e300", "null", #""5""#, "[5]", "{}"] {
      let message = text("1", "nfc.read").dropLast() + #","footbridgeCall":\#(value)}"#
      guard case .handle(let request, let call) = link.read(String(message)) else { throw NotHandled() }
      #expect(request.pageCall == nil && call.number == nil, "\(value)")
    }
  }

  @Test func `hasReusedID says whether the page has used the id of a call before`() throws {
    let link = link()
    link.connected()
    func reuses(_ text: String) throws -> Bool {
      guard case .handle(let request, let call) = link.read(text) else { throw NotHandled() }
      link.begin(request, call, byteCount: 1, cursor: nil, start: 0)
      link.endHandling(at: 1)
      return link.hasReusedID(request, call)
    }
    #expect(try !reuses(text("1", "nfc.read")))
    #expect(try reuses(numbered(5, "1")))
    #expect(try !reuses(text("footbridge-2")))
    #expect(try !reuses(numbered(6, "footbridge-2")), "It is not the page's other call.")
    #expect(try reuses(numbered(7, "footbridge-2")))
  }

  // MARK: The connection

  @Test func `events before the hello are sent with the answer to it, in order, and later ones at once`() {
    let link = link()
    #expect(link.send(event()).way == "none")
    link.connected()
    #expect(link.send(event()).way == "none")
    let (isFirst, missed) = link.resume(after: 0)
    #expect(isFirst && missed.map(\.way) == ["socket", "socket"])
    #expect(missed.map(\.sequence) == [1, 2])
    let next = link.send(event())
    #expect(next.way == "socket" && next.sequence == 3)
  }

  @Test func `a page that comes back gets what it has missed`() {
    let link = link()
    link.connected()
    _ = link.resume(after: 0)
    for _ in 0..<3 { _ = link.send(event()) }
    link.disconnected()
    #expect(!link.isListening && link.send(event()).way == "none")
    link.connected()
    let (isFirst, missed) = link.resume(after: 2)
    #expect(!isFirst && missed.map(\.sequence) == [3, 4] && link.isListening)
  }

  @Test func `a new page has received nothing, whatever it says`() {
    let link = link()
    link.connected()
    _ = link.send(event())
    #expect(link.resume(after: 9).missed.count == 1)
  }

  @Test func `an answer waits for the first message on a new connection`() throws {
    let link = link()
    link.connected()
    let request = try link.take(text("footbridge-1"))
    link.connected()
    link.endTurn()
    #expect(link.send(message(.response, id: "footbridge-1", "onside.buy")).way == "none")
    link.beginTurn(isFromSocket: true)
    #expect(link.fate(of: text("footbridge-1")) == "answer: socket")
    #expect(link.respond(to: request).way == "socket")
  }

  @Test func `a client without a shim gets events at once, without numbers, and ends with its connection`() {
    let link = link(shimID: nil)
    link.connected()
    let sent = link.send(event())
    #expect(sent.way == "socket" && sent.sequence == nil)
    #expect(link.endsWithConnection)
  }

  // MARK: Urgent calls and goodbyes

  @Test func `the answer to an urgent call goes to its script and not to the socket`() throws {
    let link = link()
    link.connected()
    var taken: [[UInt8]?] = []
    link.await(urgent: CallID("footbridge-1")) { taken.append($0) }
    let request = try link.take(text("footbridge-1"))
    let sent = link.respond(to: request)
    guard case .script(let take) = sent.way else { throw NotHandled() }
    take(sent.text)
    #expect(taken == [sent.text])
    link.await(urgent: CallID("footbridge-2")) { taken.append($0) }
    link.ended()
    #expect(taken.last == .some(nil))
  }

  @Test func `the refusal of a repeated urgent call reaches its script, even without a socket`() throws {
    let link = link()
    _ = try link.take(text("footbridge-1"))
    let next = self.link()
    next.remember(link.departed(answerByteLimit: 0))
    next.await(urgent: CallID("footbridge-1")) { _ in }
    guard case .refuse(let request, let call, let refusal) = next.read(text("footbridge-1")) else {
      throw NotHandled()
    }
    let sent = next.refuse(request, call, refusal, timestamp: 1)
    #expect(sent?.way.text == "script")
    #expect(next.refuse(request, call, refusal, timestamp: 1) == nil)
  }

  @Test func `a goodbye is split into its messages, without those that are too long`() {
    let link = link()
    let long = String(repeating: "x", count: 2001)
    #expect(link.goodbyeArrived(1, first: 0, Array("\u{1E}c\n".utf8)) == false)
    #expect(link.takeGoodbyes(waitsForMissing: true).isEmpty && link.hasWaitingGoodbye)
    _ = link.goodbyeArrived(0, first: 0, Array("\u{1E}a\n\u{1E}\(long)\n\u{1E}b\n".utf8))
    let texts = link.takeGoodbyes(waitsForMissing: true).map { String(decoding: $0, as: UTF8.self) }
    #expect(texts == ["a", "b", "c"] && !link.hasWaitingGoodbye)
  }

  // MARK: The store

  @Test func `with a store, messages wait for the end of the turn and for unstored changes`() throws {
    let link = link(isDurable: true)
    link.connected()
    _ = link.resume(after: 0)
    link.beginTurn(isFromSocket: true)
    let request = try link.take(text("footbridge-1"))
    #expect(link.respond(to: request).way == "store")
    link.endTurn()
    #expect(link.send(event()).way == "store, then release")
    #expect(link.release(isStored: false).isEmpty)
    let change = link.takeChange()
    #expect(change?.answers.map(\.correlationId) == ["footbridge-1"] && change?.events.map(\.sequence) == [1])
    _ = link.send(event())
    #expect(link.changeWasStored().count == 2)
    #expect(link.release(isStored: true).count == 1)
  }

  @Test func `an event of a bridge is stored, and one of Footbridge is not`() {
    let link = link(isDurable: true)
    #expect(link.send(event()).isStored)
    #expect(!link.send(event("footbridge.sheet.present")).isStored)
    #expect(!link.send(message(.request, id: "r", "onside.shouldContinueTransaction")).isStored)
    #expect(link.takeChange()?.events.map(\.sequence) == [1])
  }

  @Test func `messages about a lost change are dropped, and the answers are returned for replacement`() throws {
    let link = link(isDurable: true)
    link.connected()
    _ = link.resume(after: 0)
    link.beginTurn(isFromSocket: true)
    let requests = [try link.take(text("footbridge-1")), try link.take(text("1", "nfc.read"))]
    for request in requests { link.respond(to: request) }
    _ = link.send(event())
    link.endTurn()
    _ = link.takeChange()
    let lost = link.dropLost { $0.hasPrefix("onside.") }
    #expect(lost.map(\.correlationId) == ["footbridge-1"])
    #expect(link.release(isStored: true).count == 1)
  }

  @Test func `the next run of the server continues with what is stored`() throws {
    let link = link(isDurable: true)
    link.connected()
    link.beginTurn(isFromSocket: true)
    link.respond(to: try link.take(text("footbridge-1")))
    _ = link.send(event())
    let taken = link.takeChange()
    let change = try #require(taken)
    let record = PageRecord(lastSequence: 1, events: change.events, answers: change.answers)
    let next = self.link(record: record, isDurable: true)
    #expect(next.isKnown)
    next.connected()
    next.beginTurn(isFromSocket: true)
    #expect(next.resume(after: 0).missed.map(\.sequence) == [1])
    #expect(next.fate(of: text("footbridge-1")) == "answer: store")
  }

  @Test func `a client without a shim has no part in the store`() {
    let link = link(shimID: nil, isDurable: true)
    link.connected()
    _ = link.send(event())
    #expect(link.takeChange() == nil)
    #expect(link.changeWasStored().count == 1)
  }
}

private struct NotHandled: Error {}

extension PageLink {
  fileprivate func read(_ text: String) -> Reception {
    var text = text
    return text.withUTF8 { received($0) }
  }

  /// Handles a call without an answer.
  fileprivate func take(_ text: String, cursor: Int? = nil, start: Int = 0) throws -> BridgeMessage {
    guard case .handle(let message, let call) = read(text) else { throw NotHandled() }
    begin(message, call, byteCount: text.utf8.count, cursor: cursor, start: start)
    endHandling(at: 1)
    return message
  }

  /// What becomes of a message, as a text.
  fileprivate func fate(of text: String) -> String {
    switch read(text) {
    case .handle: "handle"
    case .wait: "wait"
    case .ignore: "ignore"
    case .answer(let sent): "answer: \(sent.way.text)"
    case .refuse(_, _, let refusal): "refuse: \("\(refusal)".prefix { $0 != "(" })"
    case .unreadable: "unreadable"
    }
  }

  @discardableResult
  fileprivate func respond(to request: BridgeMessage, status: BridgeResponseStatus = .success) -> Sent {
    answer(BridgeAnswer(status: status), to: request, timestamp: 1)
  }
}

extension Sent {
  /// The sequence number in the text.
  fileprivate var sequence: Int? { int("sequence") }
  /// The number of the answered call in the text.
  fileprivate var number: Int? { int("footbridgeCall") }
  /// The correlation id in the text.
  fileprivate var id: String? { json?["correlationId"]?.stringValue }

  private var json: JSONValue? { try? JSONValue(parsing: text) }

  private func int(_ name: String) -> Int? { json?[name]?.numberValue.flatMap { Int(exactly: $0) } }
}

extension Sent.Way {
  fileprivate var text: String {
    switch self {
    case .none: "none"
    case .socket: "socket"
    case .store(let endsTurn): endsTurn ? "store, then release" : "store"
    case .script: "script"
    }
  }

  fileprivate static func == (way: Sent.Way, text: String) -> Bool { way.text == text }
}

extension [Sent.Way] {
  fileprivate static func == (ways: [Sent.Way], texts: [String]) -> Bool { ways.map(\.text) == texts }
}
