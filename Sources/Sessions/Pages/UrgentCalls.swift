/// The calls of a page that it cannot go on without: its scripts wait for the answers. These take another way than the socket.
struct UrgentCalls {
  /// What takes an answer's text; nil when there is none.
  typealias Taker = (_ text: [UInt8]?) -> Void

  private var takers: [CallID: Taker] = [:]

  /// Whether the page waits for no answer.
  var isEmpty: Bool { takers.isEmpty }

  /// The page waits for the answer to a call. Who waited for it before gets none.
  mutating func await(_ call: CallID, _ take: @escaping Taker) {
    takers.updateValue(take, forKey: call)?(nil)
  }

  /// A call was answered.
  ///
  /// - Returns: Whether the page has waited for it.
  mutating func answered(_ call: CallID, _ text: [UInt8]) -> Bool {
    guard !takers.isEmpty, let take = takers.removeValue(forKey: call) else { return false }
    take(text)
    return true
  }

  /// The page waits no longer for a call. Its answer takes the socket.
  mutating func giveUp(_ call: CallID) { takers.removeValue(forKey: call)?(nil) }

  /// The page waits for nothing any more.
  mutating func giveUp() {
    let waiting = takers
    takers = [:]
    for take in waiting.values { take(nil) }
  }
}
