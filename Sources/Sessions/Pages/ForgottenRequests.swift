import DequeModule

/// The calls under correlation ids of the page's own choice that were run and whose answers are forgotten. These ids follow no order, so
/// that each has to be remembered; the oldest make room.
struct ForgottenRequests {
  /// How many are remembered.
  static let limit = 16_384

  private var requests: [CallID: Int] = [:]
  private var order = Deque<CallID>()

  /// All of them.
  var calls: some Sequence<CallID> { requests.keys }

  /// Whether a call was run, and asked the same: `request` is a hash of that.
  func contains(_ call: CallID, request: Int) -> Bool { requests[call] == request }

  /// The answer to a call is forgotten.
  mutating func append(_ call: CallID, request: Int) {
    if requests.updateValue(request, forKey: call) == nil { order.append(call) }
    if order.count > Self.limit { requests[order.removeFirst()] = nil }
  }
}
