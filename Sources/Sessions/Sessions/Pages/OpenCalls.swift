import BridgeCore
import BridgeRuntime

/// The calls of one page without an answer, and their size. If a page makes too many, it gets errors, and other pages are not affected.
///
/// Most calls are answered while they are handled. Only the other calls are added to the dictionary.
struct OpenCalls {
  /// A call without an answer. It contains only numbers, so copying it for each message costs nothing.
  private struct Call {
    let byteCount: Int
    /// The cursor of its journal entry.
    let cursor: Int?
    /// The beginning of its wait, in nanoseconds of the monotonic clock; 0 if it is not measured yet.
    var start: Int
    /// Whether nothing handles it. It then waits for an answer from a test.
    var isUnhandled = false
  }

  private let countLimit: Int
  private let byteLimit: Int
  private var calls: [CallID: Call] = [:]
  private var byteCount = 0
  /// The actions of the calls that were acknowledged and have no result yet.
  private var acknowledgedActions: [CallID: String] = [:]
  /// The call that is being handled, until it is answered.
  private var handled: (id: CallID, call: Call)?
  private let metrics: SessionMetrics

  init(_ limits: FootbridgeLimits, _ metrics: SessionMetrics = SessionMetrics()) {
    self.metrics = metrics
    countLimit = limits.openCalls
    byteLimit = limits.openCallBytes
  }

  /// The number of open calls.
  var count: Int { calls.count }

  /// Whether a call is open.
  func contains(_ id: CallID) -> Bool { calls[id] != nil }

  /// Whether a call waits that something handles. Such a call gets its answer without a test's help.
  var isAnyUnderWay: Bool { calls.values.contains { !$0.isUnhandled } }

  /// Notes that nothing handles the latest call.
  mutating func isUnhandled() { handled?.call.isUnhandled = true }

  /// Whether there is room for another call of this size.
  func hasRoom(forByteCount count: Int) -> Bool {
    calls.count < countLimit && byteCount + count <= byteLimit
  }

  /// Adds a call of this size, which is handled now. `cursor` is that of its journal entry.
  mutating func begin(_ id: CallID, byteCount: Int, cursor: Int?) {
    handled = (id, Call(byteCount: byteCount, cursor: cursor, start: metrics.callBegins()))
  }

  /// Notes that the latest call was handled. If it has no answer yet, the answer comes later.
  mutating func finishHandling() {
    guard case (let id, var call)? = handled else { return }
    handled = nil
    if call.start == 0 { call.start = MonotonicTime.nanoseconds }
    byteCount += call.byteCount - (calls.updateValue(call, forKey: id)?.byteCount ?? 0)
  }

  /// Notes that a call was acknowledged.
  ///
  /// - Returns: The cursor of its journal entry.
  mutating func acknowledged(_ id: CallID, action: String) -> Int? {
    guard let call = handled?.id == id ? handled?.call : calls[id] else { return nil }
    acknowledgedActions[id] = action
    return call.cursor
  }

  /// The action of a call that was acknowledged and not answered yet.
  func acknowledgedAction(of id: CallID) -> String? { acknowledgedActions[id] }

  /// Removes a call that has its final answer.
  ///
  /// - Returns: The cursor of its journal entry.
  @discardableResult
  mutating func answered(_ id: CallID) -> Int? {
    if !acknowledgedActions.isEmpty { acknowledgedActions[id] = nil }
    if let handled, handled.id == id {
      self.handled = nil
      metrics.callWasAnsweredAtOnce(handled.call.start)
      return handled.call.cursor
    }
    guard !calls.isEmpty, let call = calls.removeValue(forKey: id) else { return nil }
    byteCount -= call.byteCount
    metrics.callWasAnswered(call.start)
    return call.cursor
  }
}

/// Identifies a call of a page by the hash of its correlation id. Two ids have the same hash with a probability of 2⁻⁶⁴.
///
/// The id itself is not kept. Of a thousand ids, the oldest is no longer in the processor's cache, and reading it would take longer than
/// the rest of the call.
struct CallID: Hashable, Sendable {
  let hash: Int

  /// The call with this correlation id.
  init(_ correlationId: String) {
    var id = correlationId
    hash = id.withUTF8(WordHash.hash)
  }

  /// The call that a message makes or answers.
  init(_ message: BridgeMessage) {
    hash = message.withCorrelationId(WordHash.hash)
  }

  /// Dictionaries use the hash as it is, since it already has a seed. To hash it again at each of five look-ups would cost a tenth of a
  /// message's instructions (`make bench PARTS=instructions`, "query of a page").
  func _rawHashValue(seed: Int) -> Int { hash ^ seed }
}

/// The call that a message belongs to, and the owner of its action.
struct PageCall {
  let id: CallID
  let owner: ActionOwner

  init(_ message: BridgeMessage, _ owners: ActionOwners) {
    id = CallID(message)
    owner = owners.owner(of: message)
  }
}
