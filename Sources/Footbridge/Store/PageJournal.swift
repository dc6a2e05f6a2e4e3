/// What is to be kept of a page together with the session's state: what it is told of a change, and the answers to what has changed it.
struct PageJournal: Sendable, Hashable {
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
  /// The number of the page's last event or request.
  var lastSequence = 0
  /// Events before this one are needed no more.
  var oldestSequence = 0
  /// Answers before this one are needed no more.
  var oldestAnswer = 0
  /// The new events, oldest first.
  var events: [Event] = []
  /// The new answers, oldest first.
  var answers: [Answer] = []
}
