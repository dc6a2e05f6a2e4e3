/// The urgent calls of a page: a script is blocked until the answer comes. The answers go over HTTP, not over the socket.
package struct UrgentCalls {
  /// Receives the text of an answer; nil if there will be none.
  package typealias Taker = (_ text: [UInt8]?) -> Void

  private var takers: [CallID: Taker] = [:]

  /// Whether no call waits.
  var isEmpty: Bool { takers.isEmpty }

  /// Waits for the answer to a call. An earlier wait for the same call ends without an answer.
  mutating func await(_ call: CallID, _ take: @escaping Taker) {
    takers.updateValue(take, forKey: call)?(nil)
  }

  /// Removes and returns the wait for a call, which has its answer; nil if there is none.
  mutating func take(_ call: CallID) -> Taker? {
    takers.isEmpty ? nil : takers.removeValue(forKey: call)
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
