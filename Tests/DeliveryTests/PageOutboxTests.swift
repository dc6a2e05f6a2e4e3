import Testing

@testable import Delivery

@Suite struct PageOutboxTests {
  private func message(_ number: Int) -> PageOutbox.Message {
    PageOutbox.Message(text: [UInt8(number)], origin: .sequence(number))
  }

  @Test func `messages after cover wait for the next cover`() {
    var outbox = PageOutbox()
    outbox.append(message(1))
    outbox.append(message(2))
    outbox.cover()
    outbox.append(message(3))
    #expect(outbox.takeCovered() == [message(1), message(2)])
    #expect(outbox.takeCovered() == [])
    outbox.cover()
    #expect(outbox.takeCovered() == [message(3)])
  }

  @Test func `drop removes the messages about a lost state, and the rest waits`() {
    var outbox = PageOutbox()
    for number in 1...3 { outbox.append(message(number)) }
    outbox.append(PageOutbox.Message(text: [4], origin: .answer(CallID("a"))))
    outbox.cover()
    outbox.drop([.sequence(2), .answer(CallID("a"))])
    #expect(outbox.takeCovered() == [])
    #expect(outbox.takeAll() == [message(1), message(3)])
  }

  @Test func `removeAll leaves nothing to be sent`() {
    var outbox = PageOutbox()
    outbox.append(message(1))
    outbox.cover()
    outbox.removeAll()
    #expect(outbox.takeCovered() == [])
    #expect(outbox.takeAll() == [])
  }
}
