import Testing

@testable import WebServer

struct MessagesInTurnTests {
  @Test func `where messages come one by one, answers go out at once, the first of each turn`() {
    #expect(answers([.message, .answer, .answer, .end]) == [false, false])
    #expect(answers([.message, .end, .message, .answer, .answer, .end]) == [true, false])
    #expect(answers([.message, .end, .message, .answer, .end, .message, .answer, .end]) == [true, true])
  }

  @Test func `where several messages come in a turn, answers wait for its end, and one turn longer`() {
    #expect(answers([.message, .end, .message, .message, .answer]) == [false])
    #expect(answers([.message, .message, .end, .message, .answer]) == [false])
    #expect(answers([.message, .message, .end, .message, .end, .message, .answer]) == [true])
  }

  @Test func `what no message has caused waits, and turns without messages change nothing`() {
    #expect(answers([.message, .end, .end, .answer, .message, .answer]) == [false, true])
  }

  private enum Event {
    case message, answer, end
  }

  /// Which answers go out at once.
  private func answers(_ events: [Event]) -> [Bool] {
    var messages = MessagesInTurn()
    var answers: [Bool] = []
    for event in events {
      switch event {
      case .message: messages.received()
      case .answer: answers.append(messages.answersAtOnce())
      case .end: messages.turnEnded()
      }
    }
    return answers
  }
}
