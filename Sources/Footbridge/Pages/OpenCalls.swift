/// The calls of one page that have no answer yet, and how much they hold: a page that asks without end is told so, and hurts only itself.
///
/// Most calls are answered while they are handled; only the others are kept.
struct OpenCalls {
  private let countLimit: Int
  private let byteLimit: Int
  private var byteCounts: [String: Int] = [:]
  private var byteCount = 0
  private var handled: (id: String, byteCount: Int)?

  init(_ limits: FootbridgeLimits) {
    countLimit = limits.openCalls
    byteLimit = limits.openCallBytes
  }

  /// A call of so many bytes is about to be handled; false when there are too many without an answer.
  mutating func begin(_ correlationID: String, byteCount count: Int) -> Bool {
    guard byteCounts.count < countLimit, byteCount + count <= byteLimit else { return false }
    handled = (correlationID, count)
    return true
  }

  /// The call that began last was handled: unless it was answered, its answer will come later.
  mutating func finishHandling() {
    guard let (id, count) = handled else { return }
    handled = nil
    byteCount += count - (byteCounts.updateValue(count, forKey: id) ?? 0)
  }

  /// A call was answered for good.
  mutating func answered(_ correlationID: String) {
    if handled?.id == correlationID {
      handled = nil
    } else if !byteCounts.isEmpty {
      byteCount -= byteCounts.removeValue(forKey: correlationID) ?? 0
    }
  }
}
