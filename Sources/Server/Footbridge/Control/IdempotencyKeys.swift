import BridgeRuntime

/// Remembers the answers to requests with an `Idempotency-Key`, so that a repeated request takes effect only once
/// (draft-ietf-httpapi-idempotency-key-header, section 2). They are in memory, and end with the server. A pure state machine.
struct IdempotencyKeys {
  /// An answer of a route.
  typealias Answer = Result<ControlResponse, ControlProblem>

  /// The decision about a request.
  enum Verdict {
    /// The request is new. Handle it.
    case new
    /// The request was answered before, with this.
    case repeated(Answer)
    /// The request is being handled.
    case underWay
    /// The key was used for another request.
    case otherRequest
  }

  private struct Entry {
    let request: [UInt8]
    let end: BridgeInstant
    var answer: Answer?
    var byteCount = 0
  }

  /// The time for which a key is remembered.
  static let lifetime = Duration.seconds(86_400)

  private let limit: Int
  private let byteLimit: Int
  private var entries: [String: Entry] = [:]
  /// The keys, oldest first.
  private var order: [String] = []
  private var byteCount = 0

  /// Creates a memory of at most `limit` keys, with answers of `byteLimit` bytes in all. The oldest are dropped for new ones.
  init(limit: Int = 1000, byteLimit: Int = 16 << 20) {
    self.limit = limit
    self.byteLimit = byteLimit
  }

  /// The number of remembered keys.
  var count: Int { entries.count }

  /// A request with a key begins. `request` is its content, or the hash of that. If the request is new, answer it, then call
  /// ``finish(_:with:)`` or ``forget(_:)``.
  mutating func begin(_ key: String, _ request: [UInt8], at now: BridgeInstant) -> Verdict {
    while let oldest = order.first, let entry = entries[oldest], entry.end <= now { forget(oldest) }
    if let entry = entries[key] {
      guard entry.request == request else { return .otherRequest }
      return entry.answer.map { .repeated($0) } ?? .underWay
    }
    if order.count >= limit, let oldest = order.first { forget(oldest) }
    entries[key] = Entry(request: request, end: now.advanced(by: Self.lifetime))
    order.append(key)
    return .new
  }

  /// The request is answered. The answer is remembered if a repetition would get the same one.
  ///
  /// A conflict (409) ends when the state changes, and an error of the server (5xx) when the server works again.
  mutating func finish(_ key: String, with answer: Answer) {
    guard let size = answer.repeatableByteCount else { return forget(key) }
    guard entries[key] != nil else { return }
    entries[key]?.answer = answer
    entries[key]?.byteCount = size
    byteCount += size
    while byteCount > byteLimit, let oldest = order.first, oldest != key { forget(oldest) }
  }

  /// The request had no effect. It may be sent again.
  mutating func forget(_ key: String) {
    byteCount -= entries.removeValue(forKey: key)?.byteCount ?? 0
    order.removeAll { $0 == key }
  }
}

extension IdempotencyKeys.Answer {
  /// The size of an answer that can be given again, in bytes; nil for any other.
  fileprivate var repeatableByteCount: Int? {
    switch self {
    case .success(.json(let value)), .success(.created(let value, _)): value.jsonText.utf8.count
    case .success(.noContent): 0
    // These routes only read, or their answers have no end.
    case .success(.lines), .success(.answered): nil
    case .failure(let problem):
      problem.status.kind == .clientError && problem.status != .conflict ? problem.detail.utf8.count : nil
    }
  }
}
