/// A change of a page, which is stored together with its session: events for the page, and answers to its requests.
package struct PageChange: Sendable, Hashable {
  /// An event that must reach the page.
  package struct Event: Sendable, Hashable {
    package let sequence: Int
    package let action: String
    package let text: [UInt8]

    package init(sequence: Int, action: String, text: [UInt8]) {
      (self.sequence, self.action, self.text) = (sequence, action, text)
    }
  }

  /// An answer to a request. If a request has several answers, the last one counts.
  package struct Answer: Sendable, Hashable {
    /// The answer's number among the page's answers.
    package let number: Int
    /// The correlation id of the request; for a numbered call, an id that the page does not know.
    package let correlationId: String
    package let action: String
    package let text: [UInt8]

    package init(number: Int, correlationId: String, action: String, text: [UInt8]) {
      (self.number, self.correlationId, self.action, self.text) = (number, correlationId, action, text)
    }
  }

  /// The page's id.
  package let pageID: String
  /// The number of the last event or request to the page; nil if the store already has one of this run of the server.
  package var lastSequence: Int?
  /// The number of the oldest event that is still needed; nil if it has not changed.
  package var oldestSequence: Int?
  /// The number of the oldest answer that is still needed; nil if it has not changed.
  package var oldestAnswer: Int?
  /// The calls that have run and whose answers are deleted; nil if they have not changed.
  package var forgottenCalls: EvictedCalls?
  /// The new events, oldest first.
  package var events: [Event]
  /// The new answers, oldest first.
  package var answers: [Answer]

  package init(
    pageID: String, lastSequence: Int? = nil, oldestSequence: Int? = nil, oldestAnswer: Int? = nil,
    forgottenCalls: EvictedCalls? = nil, events: [Event] = [], answers: [Answer] = []
  ) {
    self.pageID = pageID
    self.lastSequence = lastSequence
    self.oldestSequence = oldestSequence
    self.oldestAnswer = oldestAnswer
    self.forgottenCalls = forgottenCalls
    self.events = events
    self.answers = answers
  }
}

/// The stored part of one page.
package struct PageRecord: Sendable, Hashable {
  /// The number of the last event or request to the page.
  package var lastSequence: Int
  /// The events that the page may not have received, oldest first.
  package var events: [PageChange.Event]
  /// The answers to requests that had an effect, oldest first.
  package var answers: [PageChange.Answer]
  /// The calls that have run and whose answers are deleted.
  package var forgottenCalls: EvictedCalls

  package init(
    lastSequence: Int = 0, events: [PageChange.Event] = [], answers: [PageChange.Answer] = [],
    forgottenCalls: EvictedCalls = EvictedCalls()
  ) {
    self.lastSequence = lastSequence
    self.events = events
    self.answers = answers
    self.forgottenCalls = forgottenCalls
  }
}
