/// The calls of one page without an answer, and their size. If a page makes too many, or the pages of its session hold too much, it gets errors,
/// and other sessions are not affected.
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

  /// A call that has got its answer.
  struct Answered: Equatable {
    /// The cursor of its journal entry.
    let cursor: Int?
    /// How long it has waited; nil if it is only acknowledged.
    let wait: CallWait?
  }

  private let countLimit: Int
  /// What the pages of the session hold together.
  private let space: SharedBytes
  private var calls: [CallID: Call] = [:]
  private var byteCount = 0
  /// Whether the page has ended.
  private var isOver = false
  /// The actions of the calls that were acknowledged and have no result yet.
  private var acknowledgedActions: [CallID: String] = [:]
  /// The call that is being handled, until it is answered.
  private var handled: (id: CallID, call: Call)?

  /// What a call takes besides its text: the message as it was read, and where it waits.
  static let overhead = 1024

  init(countLimit: Int, space: SharedBytes) {
    self.countLimit = countLimit
    self.space = space
  }

  /// The number of open calls.
  var count: Int { calls.count }

  /// Whether a call is open.
  func contains(_ id: CallID) -> Bool { handled?.id == id || calls[id] != nil }

  /// Whether a call waits that something handles. Such a call gets its answer without a test's help.
  var isAnyUnderWay: Bool { calls.values.contains { !$0.isUnhandled } }

  /// Notes that nothing handles a call.
  mutating func isUnhandled(_ id: CallID) {
    if handled?.id == id { handled?.call.isUnhandled = true } else { calls[id]?.isUnhandled = true }
  }

  /// Whether one more call may wait.
  var hasRoom: Bool { calls.count < countLimit }

  /// Whether the pages of the session may hold another call of this size.
  func hasRoom(forByteCount count: Int) -> Bool { count + Self.overhead <= space.room }

  /// Adds a call of this size, which is handled now. `cursor` is that of its journal entry.
  mutating func begin(_ id: CallID, byteCount: Int, cursor: Int?, start: Int) {
    handled = (id, Call(byteCount: byteCount + Self.overhead, cursor: cursor, start: start))
  }

  /// Notes that the latest call was handled. If it has no answer yet, the answer comes later.
  ///
  /// - Parameter now: The time of the monotonic clock in nanoseconds. Read only if there is no answer.
  mutating func finishHandling(at now: () -> Int) {
    guard case (let id, var call)? = handled else { return }
    handled = nil
    if isOver { return }
    if call.start == 0 { call.start = now() }
    hold(call.byteCount - (calls.updateValue(call, forKey: id)?.byteCount ?? 0))
  }

  /// Notes that a call was acknowledged.
  mutating func acknowledged(_ id: CallID, action: String) -> Answered? {
    guard let call = handled?.id == id ? handled?.call : calls[id] else { return nil }
    acknowledgedActions[id] = action
    return Answered(cursor: call.cursor, wait: nil)
  }

  /// The action of a call that was acknowledged and not answered yet.
  func acknowledgedAction(of id: CallID) -> String? { acknowledgedActions[id] }

  /// Removes a call that has its final answer. Returns nil if there is no such call.
  @discardableResult
  mutating func answered(_ id: CallID) -> Answered? {
    if !acknowledgedActions.isEmpty { acknowledgedActions[id] = nil }
    if let handled, handled.id == id {
      self.handled = nil
      return Answered(cursor: handled.call.cursor, wait: .atOnce(start: handled.call.start))
    }
    guard !calls.isEmpty, let call = calls.removeValue(forKey: id) else { return nil }
    hold(-call.byteCount)
    return Answered(cursor: call.cursor, wait: .later(start: call.start))
  }

  /// Notes that the page has ended: none of its calls waits any longer.
  mutating func end() {
    isOver = true
    calls = [:]
    hold(-byteCount)
  }

  private mutating func hold(_ change: Int) {
    byteCount += change
    space.change(by: change)
  }
}

/// The wait of a call for its answer.
package enum CallWait: Equatable, Sendable {
  /// It was answered while it was handled. `start` is the time when it began, in nanoseconds of the monotonic clock; 0 if that was not measured.
  case atOnce(start: Int)
  /// It was answered later. `start` is the time when it was handled, or began.
  case later(start: Int)
}
