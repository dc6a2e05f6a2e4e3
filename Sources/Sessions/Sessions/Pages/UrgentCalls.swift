/// The urgent calls of a page: a script is blocked until the answer comes. The answers go over HTTP, not over the socket.
struct UrgentCalls {
  /// Receives the text of an answer; nil if there will be none.
  typealias Taker = (_ text: [UInt8]?) -> Void

  private var takers: [CallID: Taker] = [:]

  /// Whether no call waits.
  var isEmpty: Bool { takers.isEmpty }

  /// Waits for the answer to a call. An earlier wait for the same call ends without an answer.
  mutating func await(_ call: CallID, _ take: @escaping Taker) {
    takers.updateValue(take, forKey: call)?(nil)
  }

  /// Passes an answer to the wait for its call.
  ///
  /// - Returns: Whether there was such a wait.
  mutating func answered(_ call: CallID, _ text: [UInt8]) -> Bool {
    guard !takers.isEmpty, let take = takers.removeValue(forKey: call) else { return false }
    take(text)
    return true
  }

  /// Ends the wait for a call. The answer will go over the socket.
  mutating func giveUp(_ call: CallID) { takers.removeValue(forKey: call)?(nil) }

  /// Ends all waits.
  mutating func giveUp() {
    let waiting = takers
    takers = [:]
    for take in waiting.values { take(nil) }
  }
}
