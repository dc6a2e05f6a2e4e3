import BridgeRuntime
import Cryptography
import Sessions

/// Remembers the answers to requests with an `Idempotency-Key`, so that a repeated request has its effect only once. A pure state machine.
struct IdempotencyKeys {
  private struct Entry {
    let request: [UInt8]
    let end: BridgeInstant
    var answer: [UInt8]?
  }

  private let capacity: Int
  private let byteCapacity: Int
  private var entries: [String: Entry] = [:]
  /// The keys, oldest first.
  private var order: [String] = []
  private var byteCount = 0

  /// Creates a memory of at most `capacity` keys, with answers of `byteCapacity` bytes in all. The oldest are dropped for new ones.
  init(capacity: Int = KeptAnswer.limit, byteCapacity: Int = KeptAnswer.byteLimit) {
    self.capacity = capacity
    self.byteCapacity = byteCapacity
  }

  /// The number of remembered keys.
  var count: Int { entries.count }

  /// Adds an answer of an earlier run of the server.
  mutating func restore(_ answer: KeptAnswer) {
    guard entries[answer.id] == nil else { return }
    insert(Entry(request: answer.request, end: answer.end), for: answer.id)
    finish(answer.id, with: answer.sealed)
  }

  /// A request with a key begins. `request` is its content, or the hash of that. If the request is new, answer it, then call
  /// ``finish(_:with:)`` or ``forget(_:)``.
  mutating func begin(_ key: String, _ request: [UInt8], at now: BridgeInstant) -> KeptAnswer.Verdict {
    while let oldest = order.first, let entry = entries[oldest], entry.end <= now { forget(oldest) }
    if let entry = entries[key] {
      guard entry.request == request else { return .otherRequest }
      return entry.answer.map { .repeated($0) } ?? .underWay
    }
    insert(Entry(request: request, end: now.advanced(by: KeptAnswer.lifetime)), for: key)
    return .new
  }

  private mutating func insert(_ entry: Entry, for key: String) {
    if order.count >= capacity, let oldest = order.first { forget(oldest) }
    entries[key] = entry
    order.append(key)
  }

  /// The request is answered.
  mutating func finish(_ key: String, with answer: [UInt8]) {
    guard entries[key] != nil else { return }
    entries[key]?.answer = answer
    byteCount += answer.count
    while byteCount > byteCapacity, let oldest = order.first, oldest != key { forget(oldest) }
  }

  /// The request had no effect. It may be sent again.
  mutating func forget(_ key: String) {
    byteCount -= entries.removeValue(forKey: key)?.answer?.count ?? 0
    order.removeAll { $0 == key }
  }
}

/// A client's `Idempotency-Key`. An answer may contain the cookie of a new session, which only this client may see. So the answer is kept
/// sealed with the key, and the key itself is not kept.
struct IdempotencyKey {
  /// The name of the key, which does not reveal it.
  let id: String
  private let secret: [UInt8]

  init(_ text: String) {
    id = Hexadecimal.text(SHA256.hash("footbridge idempotency id \(text)"))
    secret = SHA256.hash("footbridge idempotency secret \(text)")
  }

  /// Seals an answer.
  func seal(_ answer: [UInt8]) -> [UInt8] { SealedBytes.seal(answer, with: secret) }

  /// The answer; nil if it was damaged.
  func open(_ sealed: [UInt8]) -> [UInt8]? { SealedBytes.open(sealed, with: secret) }
}
