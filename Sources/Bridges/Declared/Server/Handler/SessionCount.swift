/// How many things there are, in all and for each session. One session must not take all places.
struct SessionCount: Sendable {
  private let limit: Int
  private let sessionLimit: Int
  private var total = 0
  private var counts: [String: Int] = [:]

  /// Creates a count of nothing.
  init(limit: Int, sessionLimit: Int) {
    (self.limit, self.sessionLimit) = (limit, sessionLimit)
  }

  /// Whether one more of a session can be counted.
  func hasRoom(_ session: String) -> Bool { total < limit && counts[session] ?? 0 < sessionLimit }

  /// Counts one more. Returns false if there are too many already.
  mutating func begin(_ session: String) -> Bool {
    guard hasRoom(session) else { return false }
    total += 1
    counts[session, default: 0] += 1
    return true
  }

  /// Counts one less.
  mutating func end(_ session: String) {
    guard let count = counts[session] else { return }
    total -= 1
    counts[session] = count > 1 ? count - 1 : nil
  }
}
