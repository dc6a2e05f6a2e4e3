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

  /// Counts one more. Returns false if there are too many already.
  mutating func begin(_ session: String) -> Bool {
    let count = counts[session] ?? 0
    guard total < limit, count < sessionLimit else { return false }
    total += 1
    counts[session] = count + 1
    return true
  }

  /// Counts one less.
  mutating func end(_ session: String) {
    guard let count = counts[session] else { return }
    total -= 1
    counts[session] = count > 1 ? count - 1 : nil
  }
}
