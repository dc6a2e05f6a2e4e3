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

  /// Whether one more of a session can be counted, or `more`.
  func hasRoom(_ session: String, _ more: Int = 1) -> Bool {
    total + more <= limit && counts[session, default: 0] + more <= sessionLimit
  }

  /// Counts one more, or `more`. Returns false if there would be too many.
  mutating func begin(_ session: String, _ more: Int = 1) -> Bool {
    guard hasRoom(session, more) else { return false }
    add(session, more)
    return true
  }

  /// Counts one more, or `more`, also if there are too many then.
  mutating func add(_ session: String, _ more: Int = 1) {
    total += more
    counts[session, default: 0] += more
  }

  /// Counts one less, or as many.
  mutating func end(_ session: String, _ less: Int = 1) {
    guard let count = counts[session] else { return }
    total -= less
    counts[session] = count > less ? count - less : nil
  }
}
