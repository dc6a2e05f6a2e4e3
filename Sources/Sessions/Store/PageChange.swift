/// The changes of a page, stored together with its session: events for the page, and answers to its requests.
struct PageChange: Sendable, Hashable {
  /// An event that must reach the page.
  struct Event: Sendable, Hashable {
    let sequence: Int
    let action: String
    let text: [UInt8]
  }

  /// An answer to a request. If there are several to one request, the last one counts.
  struct Answer: Sendable, Hashable {
    /// The answer's number among the page's answers.
    let number: Int
    let correlationId: String
    let action: String
    let text: [UInt8]
  }

  /// The page.
  let pageID: String
  /// The number of the page's last event or request; nil if the store already has one of this run of the server.
  var lastSequence: Int?
  /// Events before this one are no longer needed; nil if the store knows.
  var oldestSequence: Int?
  /// Answers before this one are no longer needed; nil if the store knows.
  var oldestAnswer: Int?
  /// The calls that have run although their answers are no longer needed; nil if the store knows.
  var forgottenCalls: ForgottenCalls?
  /// The new events, oldest first.
  var events: [Event] = []
  /// The new answers, oldest first.
  var answers: [Answer] = []
}

/// The stored part of one page.
struct PageRecord: Sendable, Hashable {
  /// The number of the last event or request.
  var lastSequence = 0
  /// The events that the page may not have received, oldest first.
  var events: [PageChange.Event] = []
  /// The answers to requests that had an effect, oldest first.
  var answers: [PageChange.Answer] = []
  /// The requests that have run and whose answers are forgotten.
  var forgottenCalls = ForgottenCalls()
}
