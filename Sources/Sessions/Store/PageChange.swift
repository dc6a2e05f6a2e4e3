/// What has changed of a page and is written to the store together with its session: events for the page, and answers to its requests.
struct PageChange: Sendable, Hashable {
  /// An event that is to reach the page.
  struct Event: Sendable, Hashable {
    let sequence: Int
    let action: String
    let text: [UInt8]
  }

  /// The answer to a request. Later ones to the same request count.
  struct Answer: Sendable, Hashable {
    /// The answer's place among the page's.
    let number: Int
    let correlationId: String
    let action: String
    let text: [UInt8]
  }

  /// The page.
  let pageID: String
  /// The number of the page's last event or request; nil when the store has one of this run of the server already.
  var lastSequence: Int?
  /// Events before this one are needed no more; nil when there are none of which the store does not know that.
  var oldestSequence: Int?
  /// Answers before this one are needed no more; nil as with events.
  var oldestAnswer: Int?
  /// Which calls were run although their answers are needed no more; nil as with events.
  var forgottenCalls: ForgottenCalls?
  /// The new events, oldest first.
  var events: [Event] = []
  /// The new answers, oldest first.
  var answers: [Answer] = []
}
