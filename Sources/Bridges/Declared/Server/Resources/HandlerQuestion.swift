import BridgeCore
import BridgeRuntime

/// A question to a handler whose answer is for the server, not for a page.
final class HandlerQuestion: BridgeResponder {
  /// What comes of a question.
  enum Answer: Sendable {
    /// The reply; nil for none.
    case reply(JSONValue?)
    /// The text of an error.
    case error(String)
  }

  private let answers: AsyncStream<Answer>
  private let answer: AsyncStream<Answer>.Continuation

  init() {
    (answers, answer) = AsyncStream.makeStream(of: Answer.self, bufferingPolicy: .bufferingOldest(1))
  }

  func respond(status: BridgeResponseStatus, data: [String: JSONValue]?, error: BridgeErrorPayload?) {
    answer.yield(error.map { .error($0.message) } ?? .reply(data?["value"]))
    answer.finish()
  }

  /// Waits for the answer; nil if there is none in time.
  func wait(for timeout: Duration) async -> Answer? {
    let deadline = Task { [answer] in
      try await Task.sleep(for: timeout)
      answer.finish()
    }
    defer { deadline.cancel() }
    for await answer in answers { return answer }
    return nil
  }
}
