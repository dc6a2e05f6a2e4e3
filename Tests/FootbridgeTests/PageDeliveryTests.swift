import Testing

@testable import Footbridge

@Suite struct PageDeliveryTests {
  @Test func `a request is handled once, waits while it is handled, and is then answered again`() {
    var delivery = PageDelivery(pageID: "p", isDurable: true)
    #expect(delivery.request(CallID("a")) == .handle)
    #expect(delivery.request(CallID("a")) == .wait)
    delivery.answered("a", "a", [1])
    #expect(delivery.request(CallID("a")) == .answer([1]))
    #expect(delivery.request(CallID("b")) == .handle)
  }

  @Test func `what the page has not received is sent again in order, and only that`() {
    var delivery = PageDelivery(pageID: "p", isDurable: true)
    for byte in UInt8(1)...5 { delivery.sent(delivery.nextSequence(), action: "e", outlivesServer: true, [byte]) }
    #expect(delivery.resume(after: 3).map(\.text) == [[4], [5]])
    #expect(delivery.resume(after: 3).map(\.text) == [[4], [5]])
    #expect(delivery.resume(after: 5).map(\.text) == [])
    #expect(delivery.nextSequence() == 6)
  }

  @Test func `a page that has received nothing gets everything`() {
    var delivery = PageDelivery(pageID: "p", isDurable: true)
    delivery.sent(delivery.nextSequence(), action: "e", outlivesServer: true, [1])
    #expect(delivery.resume(after: 0).map(\.text) == [[1]])
  }

  @Test func `an id that the page chose may be used again, and is the same request only on a new connection`() {
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

  @Test func `what is kept of a request that was acknowledged is its result`() {
    var delivery = PageDelivery(pageID: "p", isDurable: true)
    #expect(delivery.request(CallID("a")) == .handle)
    delivery.answered("a", "a", [1])
    delivery.answered("a", "a", [2])
    #expect(delivery.request(CallID("a")) == .answer([2]))
  }

  @Test func `memory is bounded: the oldest messages and answers make room`() {
    var delivery = PageDelivery(pageID: "p", isDurable: true)
    for number in 0..<10_000 {
      delivery.sent(delivery.nextSequence(), action: "e", outlivesServer: true, [0])
      _ = delivery.request(CallID("\(number)"))
      delivery.answered("\(number)", "a", [0])
    }
    #expect(delivery.resume(after: 0).count == PageDelivery.messageLimit)
    #expect(delivery.request(CallID("9999")) == .answer([0]))
    #expect(delivery.request(CallID("0")) == .handle)
    delivery.sent(
      delivery.nextSequence(), action: "e", outlivesServer: true,
      [UInt8](repeating: 0, count: PageDelivery.byteLimit + 1))
    #expect(delivery.resume(after: 0).count == 1)
  }

  @Test func `what is taken to be kept is what has come since the last time, with where the numbers are`() {
    var delivery = PageDelivery(pageID: "p", isDurable: true)
    delivery.sent(delivery.nextSequence(), action: "e", outlivesServer: true, [1])
    delivery.sent(delivery.nextSequence(), action: "s", outlivesServer: false, [2])
    delivery.answered("a", "f", [3])
    var journal = PageJournal(pageID: "p", lastSequence: 2, oldestSequence: 1)
    journal.events = [PageJournal.Event(sequence: 1, action: "e", text: [1])]
    journal.answers = [PageJournal.Answer(number: 0, correlationId: "a", action: "f", text: [3])]
    #expect(delivery.takeJournal() == journal)
    delivery.journalWasKept()
    #expect(delivery.takeJournal() == nil)
    delivery.answered("b", "f", [4])
    #expect(
      delivery.takeJournal()
        == PageJournal(pageID: "p", answers: [.init(number: 1, correlationId: "b", action: "f", text: [4])]))
  }

  @Test func `a page is recorded even if it was told nothing, and answers without effect are not`() {
    var delivery = PageDelivery(pageID: "p", isDurable: true)
    delivery.answered("a", "f", [3])
    delivery.forgetAnswers()
    #expect(delivery.takeJournal()?.answers == [])
    delivery.answered("b", "f", [4])
    delivery.forgetAnswers()
    #expect(delivery.takeJournal() == nil)
  }

  @Test func `without a store nothing is noted down for one`() {
    var delivery = PageDelivery(pageID: "p", isDurable: false)
    delivery.sent(delivery.nextSequence(), action: "e", outlivesServer: true, [1])
    delivery.answered("a", "f", [3])
    #expect(delivery.takeJournal()?.events == [])
  }

  @Test func `the next run of the server knows the calls and events that were kept, and counts from far above`() {
    let record = PageRecord(
      lastSequence: 2,
      events: [PageJournal.Event(sequence: 2, action: "e", text: [2])],
      answers: [
        PageJournal.Answer(number: 6, correlationId: "a", action: "f", text: [3]),
        PageJournal.Answer(number: 7, correlationId: "a", action: "f", text: [4]),
      ]
    )
    var delivery = PageDelivery(pageID: "p", record)
    #expect(delivery.request(CallID("a")) == .answer([4]))
    #expect(delivery.request(CallID("b")) == .handle)
    #expect(delivery.resume(after: 1).map(\.text) == [[2]])
    #expect(delivery.nextSequence() == 2 + PageDelivery.runStride + 1)
    delivery.answered("b", "f", [5])
    let journal = delivery.takeJournal()
    #expect(journal?.lastSequence == 3 + PageDelivery.runStride)
    #expect(journal?.answers.map(\.number) == [8])
  }

  @Test func `when the state is lost, so are the events and answers that tell of it, written or not`() {
    var delivery = PageDelivery(pageID: "p", isDurable: true)
    func event(_ action: String, _ byte: UInt8) {
      delivery.sent(delivery.nextSequence(), action: action, outlivesServer: true, [byte])
    }
    event("onside.kept", 1)
    _ = delivery.takeJournal()
    delivery.journalWasKept()
    event("onside.written", 2)
    delivery.answered("a", "onside.written", [3])
    _ = delivery.takeJournal()
    event("other", 4)
    event("onside.new", 5)
    delivery.answered("b", "other", [6])
    let lost = delivery.undo { $0.hasPrefix("onside.") }
    #expect(lost.events.map(\.sequence) == [2, 4])
    #expect(lost.answers.map(\.correlationId) == ["a"])
    #expect(delivery.resume(after: 0).map(\.text) == [[1], [4]])
    #expect(delivery.takeJournal()?.events == [])
  }
}

extension PageDelivery {
  fileprivate mutating func answered(_ correlationId: String, _ action: String, _ text: [UInt8]) {
    answered(CallID(correlationId), correlationId: correlationId, action: action, text)
  }
}
