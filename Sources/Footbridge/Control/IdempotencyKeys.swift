import BridgeRuntime

/// Remembers the answers to requests with an `Idempotency-Key`, so that a request that is sent again has its effect once. A pure state machine.
///
/// The answers are kept in memory: a restart of the server forgets them.
struct IdempotencyKeys<Answer> {
  /// What becomes of a request.
  enum Verdict {
    /// It is new: answer it, then call ``finish(_:with:)`` or ``forget(_:)``.
    case new
    /// It was answered before.
    case repeated(Answer)
    /// It is being answered.
    case underWay
    /// The key belongs to another request.
    case otherRequest
  }

  private struct Entry {
    let request: [UInt8]
    let end: BridgeInstant
    var answer: Answer?
  }

  /// How long an answer is kept.
  static var lifetime: Duration { .seconds(86_400) }

  private let capacity: Int
  private var entries: [String: Entry] = [:]
  /// The keys, oldest first.
  private var order: [String] = []

  /// Creates a memory of at most `capacity` keys. The oldest makes room for a new one.
  init(capacity: Int = 1000) {
    self.capacity = capacity
  }

  /// How many keys are remembered.
  var count: Int { entries.count }

  /// A request with a key begins. `request` is all that it consists of.
  mutating func begin(_ key: String, _ request: [UInt8], at now: BridgeInstant) -> Verdict {
    while let oldest = order.first, let entry = entries[oldest], entry.end <= now { forget(oldest) }
    if let entry = entries[key] {
      guard entry.request == request else { return .otherRequest }
      return entry.answer.map { .repeated($0) } ?? .underWay
    }
    if order.count >= capacity, let oldest = order.first { forget(oldest) }
    entries[key] = Entry(request: request, end: now.advanced(by: Self.lifetime), answer: nil)
    order.append(key)
    return .new
  }

  /// The request has its answer.
  mutating func finish(_ key: String, with answer: Answer) { entries[key]?.answer = answer }

  /// The request had no effect. It may be sent again.
  mutating func forget(_ key: String) {
    entries[key] = nil
    order.removeAll { $0 == key }
  }
}
