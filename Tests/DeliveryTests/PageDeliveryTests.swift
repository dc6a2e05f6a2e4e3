import BridgeCore
import Testing

@testable import Delivery

@Suite struct PageDeliveryTests {
  @Test func `a repeated request waits while it is handled, and then gets the stored answer`() {
    var delivery = PageDelivery(pageID: "p", isDurable: true)
    #expect(delivery.request("a") == .handle)
    #expect(delivery.request("a") == .wait)
    delivery.answered("a", "a", [1])
    #expect(delivery.request("a") == .answer([1]))
    #expect(delivery.request("b") == .handle)
  }

  @Test func `resume returns exactly the messages that the page has not received, in order`() {
    var delivery = PageDelivery(pageID: "p", isDurable: true)
    for byte in UInt8(1)...5 { delivery.sent(delivery.nextSequence(), action: "e", outlivesServer: true, [byte]) }
    #expect(delivery.resume(after: 3).map(\.text) == [[4], [5]])
    #expect(delivery.resume(after: 3).map(\.text) == [[4], [5]])
    #expect(delivery.resume(after: 5).map(\.text) == [])
    #expect(delivery.nextSequence() == 6)
  }

  @Test func `resume after 0 returns all messages`() {
    var delivery = PageDelivery(pageID: "p", isDurable: true)
    delivery.sent(delivery.nextSequence(), action: "e", outlivesServer: true, [1])
    #expect(delivery.resume(after: 0).map(\.text) == [[1]])
  }

  @Test func `a page's own id is the same request only on a new connection`() {
    var delivery = PageDelivery(pageID: "p", isDurable: true)
    func ask(_ text: String = "same") -> PageDelivery.RequestAction {
      var text = text
      return text.withUTF8 { delivery.pageRequest(CallID("1"), $0) }
    }
    delivery.connected()
    #expect(ask() == .handle)
    #expect(ask() == .handle)
    delivery.connected()
    #expect(ask() == .wait)
    delivery.answered("1", "a", [1])
    #expect(ask() == .handle)
    delivery.answered("1", "a", [2])
    delivery.connected()
    #expect(ask() == .answer([2]))
    #expect(ask() == .handle)
    delivery.answered("1", "a", [3])
    delivery.connected()
    #expect(ask("other") == .handle)
  }

  @Test func `the stored answer of an acknowledged request is its result`() {
    var delivery = PageDelivery(pageID: "p", isDurable: true)
    #expect(delivery.request("a") == .handle)
    delivery.answered("a", "a", [1])
    delivery.answered("a", "a", [2])
    #expect(delivery.request("a") == .answer([2]))
  }

  @Test func `the oldest messages and answers are dropped above the limits`() {
    var delivery = PageDelivery(pageID: "p", isDurable: true)
    for number in 0..<10_000 {
      delivery.sent(delivery.nextSequence(), action: "e", outlivesServer: true, [0])
      _ = delivery.request("\(number)")
      delivery.answered("\(number)", "a", [0])
    }
    #expect(delivery.resume(after: 0).count == PageDelivery.messageLimit)
    #expect(delivery.request("9999") == .answer([0]))
    delivery.sent(
      delivery.nextSequence(), action: "e", outlivesServer: true,
      [UInt8](repeating: 0, count: PageDelivery.byteLimit + 1))
    #expect(delivery.resume(after: 0).count == 1)
  }

  @Test func `messages that are dropped before a page has them are lost, and are told once`() {
    var delivery = PageDelivery(pageID: "p", isDurable: false)
    for number in 1...PageDelivery.messageLimit + 10 {
      let request = [3, 8].contains(number) ? "request-\(number)" : nil
      delivery.sent(delivery.nextSequence(), action: "e", outlivesServer: false, request: request, [0])
    }
    #expect(delivery.takeLost(after: 4) == LostMessages(count: 6, requests: ["request-8"]))
    #expect(delivery.takeLost(after: 4) == nil)
    #expect(delivery.resume(after: 4).first?.sequence == 11)
  }

  @Test func `messages that a page has received are not lost`() {
    var delivery = PageDelivery(pageID: "p", isDurable: false)
    for _ in 1...PageDelivery.messageLimit + 10 {
      delivery.sent(delivery.nextSequence(), action: "e", outlivesServer: false, request: "r", [0])
    }
    #expect(delivery.takeLost(after: 10) == nil)
  }

  @Test func `a call whose answer is forgotten is refused, after any number of calls`() {
    var delivery = PageDelivery(pageID: "p", isDurable: false)
    delivery.call("footbridge-shim-1")
    for number in 1...3000 { delivery.call("footbridge-\(number)") }
    delivery.connected()
    #expect(delivery.request("footbridge-shim-1") == .refuse)
    #expect(delivery.request("footbridge-1") == .refuse)
    #expect(delivery.request("footbridge-\(3000 - PageDelivery.messageLimit)") == .refuse)
    #expect(delivery.request("footbridge-\(3001 - PageDelivery.messageLimit)") == .answer([0]))
    #expect(delivery.request("footbridge-3001") == .handle)
    #expect(delivery.request("footbridge-shim-2") == .handle)
  }

  @Test func `an open call waits while thousands of later answers are forgotten`() {
    var delivery = PageDelivery(pageID: "p", isDurable: false)
    #expect(delivery.request("footbridge-1") == .handle)
    for number in 2...3000 { delivery.call("footbridge-\(number)") }
    delivery.connected()
    #expect(delivery.request("footbridge-1") == .wait)
    #expect(delivery.request("footbridge-2") == .refuse)
  }

  @Test func `the next run refuses calls with forgotten answers and handles calls that were open`()
    throws
  {
    var delivery = PageDelivery(pageID: "p", isDurable: true)
    #expect(delivery.request("footbridge-1") == .handle)
    for number in 2...3000 { delivery.call("footbridge-\(number)") }
    let taken = delivery.takeChange()
    let change = try #require(taken)
    let forgotten = try #require(change.forgottenCalls)
    var next = PageDelivery(
      pageID: "p", PageRecord(lastSequence: 0, answers: change.answers, forgottenCalls: forgotten))
    next.connected()
    #expect(next.request("footbridge-1") == .handle)
    #expect(next.request("footbridge-2") == .refuse)
    #expect(next.request("footbridge-3000") == .answer([0]))
    // A second run later the page has heard nothing yet.
    next.answered("footbridge-1", "a", [1])
    for number in 3001...6000 { next.call("footbridge-\(number)") }
    next.connected()
    #expect(next.request("footbridge-1") == .refuse)
    #expect(next.request("footbridge-3000") == .refuse)
  }

  @Test func `takeChange returns forgotten calls once, and again after an undo`() {
    var delivery = PageDelivery(pageID: "p", isDurable: true)
    for number in 1...2000 { delivery.call("footbridge-\(number)") }
    let told = delivery.takeChange()?.forgottenCalls
    #expect(told != nil)
    _ = delivery.undo { _ in true }
    #expect(delivery.takeChange()?.forgottenCalls == told)
    delivery.changeWasStored()
    delivery.sent(delivery.nextSequence(), action: "e", outlivesServer: true, [1])
    #expect(delivery.takeChange()?.forgottenCalls == nil)
  }

  @Test func `calls whose ids do not ascend are no series and are not refused`() {
    var delivery = PageDelivery(pageID: "p", isDurable: false)
    for number in [9, 4, 7] { delivery.call("call-\(number)") }
    for number in 1000...3000 { delivery.call("call-\(number)") }
    #expect(delivery.request("call-5") == .handle)
    #expect(delivery.request("no number") == .handle)
    #expect(delivery.request("call-12345678901234567890") == .handle)
    for number in 0...20 { #expect(delivery.request("\(number)-\(number)") == .handle) }
  }

  @Test func `a call counted from 0 is refused after its answer is deleted`() {
    var delivery = PageDelivery(pageID: "p", isDurable: false)
    for number in 0..<1100 { delivery.call("call-\(number)") }
    delivery.connected()
    #expect(delivery.request("call-0") == .refuse)
    #expect(delivery.request("call-75") == .refuse)
    #expect(delivery.request("call-1100") == .handle)
  }

  @Test(arguments: ["9-9", "id", "b7c1"]) func `a call without a series is refused after its answer is deleted`(
    id: String
  ) {
    var delivery = PageDelivery(pageID: "p", isDurable: false)
    // More series than the limit.
    for number in 0..<CallSeries.limit { delivery.call("\(number) \(number)") }
    delivery.call(id)
    for number in 1...1100 { delivery.call("other \(number).") }
    delivery.connected()
    #expect(delivery.request(id) == .refuse)
  }

  @Test func `numbers that go down run no call again`() {
    var delivery = PageDelivery(pageID: "p", isDurable: false)
    for number in (1...1500).map({ $0 * 2 }) { delivery.call("call-\(number)") }
    // A number that was left out.
    delivery.call("call-2999")
    for number in 3001...4500 { delivery.call("call-\(number)") }
    delivery.connected()
    for number in [2, 900, 2999, 3000, 3001, 3400] { #expect(delivery.request("call-\(number)") == .refuse) }
    #expect(delivery.request("call-2997") == .handle)
  }

  @Test func `a repeated call with the page's own id is refused unless its request differs`() {
    var delivery = PageDelivery(pageID: "p", isDurable: false)
    func ask(_ id: String, _ text: String = "same") -> PageDelivery.RequestAction {
      var text = text
      return text.withUTF8 { delivery.pageRequest(CallID(id), $0) }
    }
    for number in 1...3000 {
      #expect(ask("\(number)") == .handle)
      delivery.answered("\(number)", "a", [0])
    }
    delivery.connected()
    #expect(ask("1") == .refuse)
    #expect(ask("2", "other") == .handle)
    #expect(ask("3000") == .answer([0]))
    #expect(ask("3001") == .handle)
  }

  @Test func `takeChange returns what is new, with its sequence number`() {
    var delivery = PageDelivery(pageID: "p", isDurable: true)
    delivery.sent(delivery.nextSequence(), action: "e", outlivesServer: true, [1])
    delivery.sent(delivery.nextSequence(), action: "s", outlivesServer: false, [2])
    delivery.answered("a", "f", [3])
    var change = PageChange(pageID: "p", lastSequence: 2, oldestSequence: 1)
    change.events = [PageChange.Event(sequence: 1, action: "e", text: [1])]
    change.answers = [PageChange.Answer(number: 0, correlationId: "a", action: "f", text: [3])]
    #expect(delivery.takeChange() == change)
    delivery.changeWasStored()
    #expect(delivery.takeChange() == nil)
    delivery.answered("b", "f", [4])
    #expect(
      delivery.takeChange()
        == PageChange(pageID: "p", answers: [.init(number: 1, correlationId: "b", action: "f", text: [4])]))
  }

  @Test func `an answer that tells of nothing stored is repeated, but not stored`() {
    var delivery = PageDelivery(pageID: "p", isDurable: true)
    let first = delivery.request("1")
    delivery.answered("1", "today.message", [1], outlivesServer: false)
    delivery.answered("2", "onside.purchase", [2])
    let again = delivery.request("1")
    #expect(first == .handle && again == .answer([1]))
    #expect(delivery.takeChange()?.answers.map(\.correlationId) == ["2"])
  }

  @Test func `takeChange includes a page without messages, and no answers without effect`() {
    var delivery = PageDelivery(pageID: "p", isDurable: true)
    delivery.answered("a", "f", [3])
    delivery.forgetAnswers()
    #expect(delivery.takeChange()?.answers == [])
    delivery.answered("b", "f", [4])
    delivery.forgetAnswers()
    #expect(delivery.takeChange() == nil)
  }

  @Test func `without a store takeChange has no events`() {
    var delivery = PageDelivery(pageID: "p", isDurable: false)
    delivery.sent(delivery.nextSequence(), action: "e", outlivesServer: true, [1])
    delivery.answered("a", "f", [3])
    #expect(delivery.takeChange()?.events == [])
  }

  @Test func `the next run has the stored calls and events, and continues from a far higher sequence number`() {
    let record = PageRecord(
      lastSequence: 2,
      events: [PageChange.Event(sequence: 2, action: "e", text: [2])],
      answers: [
        PageChange.Answer(number: 6, correlationId: "a", action: "f", text: [3]),
        PageChange.Answer(number: 7, correlationId: "a", action: "f", text: [4]),
      ]
    )
    var delivery = PageDelivery(pageID: "p", record)
    #expect(delivery.request("a") == .answer([4]))
    #expect(delivery.request("b") == .handle)
    #expect(delivery.resume(after: 1).map(\.text) == [[2]])
    #expect(delivery.nextSequence() == 2 + PageDelivery.runStride + 1)
    delivery.answered("b", "f", [5])
    let change = delivery.takeChange()
    #expect(change?.lastSequence == 3 + PageDelivery.runStride)
    #expect(change?.answers.map(\.number) == [8])
  }

  @Test func `undo drops the events and answers about the lost state, written or not`() {
    var delivery = PageDelivery(pageID: "p", isDurable: true)
    func event(_ action: String, _ byte: UInt8) {
      delivery.sent(delivery.nextSequence(), action: action, outlivesServer: true, [byte])
    }
    event("onside.kept", 1)
    _ = delivery.takeChange()
    delivery.changeWasStored()
    event("onside.written", 2)
    delivery.answered("a", "onside.written", [3])
    _ = delivery.takeChange()
    event("other", 4)
    event("onside.new", 5)
    delivery.answered("b", "other", [6])
    let lost = delivery.undo { $0.hasPrefix("onside.") }
    #expect(lost.events.map(\.sequence) == [2, 4])
    #expect(lost.answers.map(\.correlationId) == ["a"])
    #expect(delivery.resume(after: 0).map(\.text) == [[1], [4]])
    #expect(delivery.takeChange()?.events == [])
  }
}

extension PageDelivery {
  private static let space = 1 << 30

  fileprivate init(pageID: String, isDurable: Bool) {
    self.init(pageID: pageID, isDurable: isDurable, space: SharedBytes(limit: Self.space))
  }

  fileprivate init(pageID: String, _ record: PageRecord) {
    self.init(pageID: pageID, record, space: SharedBytes(limit: Self.space))
  }

  fileprivate mutating func request(_ correlationId: String) -> RequestAction {
    var id = correlationId
    let call = CallID(id)
    return id.withUTF8 { request(call, $0) }
  }

  /// A call that is answered at once.
  fileprivate mutating func call(_ correlationId: String) {
    _ = request(correlationId)
    answered(correlationId, "a", [0])
  }

  fileprivate mutating func answered(
    _ correlationId: String, _ action: String, _ text: [UInt8], outlivesServer: Bool = true
  ) {
    let request = BridgeMessage(
      version: "1.0", correlationId: correlationId, type: .request, timestamp: 0,
      payload: BridgePayload(action: action, data: nil, status: nil, error: nil))
    answered(CallID(correlationId), by: request, outlivesServer: outlivesServer, text)
  }
}
