import DequeModule

/// Calls whose correlation ids the page has chosen freely, that have run, and whose answers are forgotten. Their ids have no order, so each
/// is remembered. The oldest are forgotten first.
struct ForgottenRequests {
  /// The maximum number of remembered calls.
  static let limit = 16_384

  private var requests: [CallID: Int] = [:]
  private var order = Deque<CallID>()

  /// All of them.
  var calls: some Sequence<CallID> { requests.keys }

  /// Whether a call has run and asked the same. `request` is the hash of what it asked.
  func contains(_ call: CallID, request: Int) -> Bool { requests[call] == request }

  /// The answer to a call is forgotten.
  mutating func append(_ call: CallID, request: Int) {
    if requests.updateValue(request, forKey: call) == nil { order.append(call) }
    if order.count > Self.limit { requests[order.removeFirst()] = nil }
  }
}

/// The stored part of a page's calls that have run and whose answers are forgotten.
struct ForgottenCalls: Sendable, Hashable, Codable {
  /// The calls of one series of correlation ids.
  struct Series: Sendable, Hashable, Codable {
    /// The prefix of the ids.
    let prefix: String
    /// All calls up to this number have run, …
    let through: Int
    /// … except these, which had no answer yet.
    let unanswered: [Int]
  }

  /// The series with forgotten answers.
  var series: [Series] = []
}
