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
