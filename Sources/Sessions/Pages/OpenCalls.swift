import BridgeRuntime

/// The calls of one page that have no answer yet, and how much they hold: a page that asks without end is told so, and hurts only itself.
///
/// Most calls are answered while they are handled; only the others are kept.
struct OpenCalls {
  /// A call that has no answer yet.
  private struct Call {
    let byteCount: Int
    /// Where the journal has it.
    let cursor: Int?
    /// Since when it waits, in nanoseconds of the monotonic clock; 0 if that is not measured yet.
    var start: Int
    /// Whether nobody handles it, so that it waits to be answered by hand.
    var isUnhandled = false
    /// Its action, once it was acknowledged: its result is still to come.
    var acknowledgedAction: String?
  }

  private let countLimit: Int
  private let byteLimit: Int
  private var calls: [CallID: Call] = [:]
  private var byteCount = 0
  private var handled: (id: CallID, call: Call)?
  private let metrics: SessionMetrics

  init(_ limits: FootbridgeLimits, _ metrics: SessionMetrics = SessionMetrics()) {
    self.metrics = metrics
    countLimit = limits.openCalls
    byteLimit = limits.openCallBytes
  }

  /// How many calls have no answer yet.
  var count: Int { calls.count }

  /// Whether a call has come and has no answer yet.
  func contains(_ id: CallID) -> Bool { calls[id] != nil }

  /// Whether somebody is about to answer a call.
  var isAnyUnderWay: Bool { calls.values.contains { !$0.isUnhandled } }

  /// Nobody handles the call that began last.
  mutating func isUnhandled() { handled?.call.isUnhandled = true }

  /// Whether there is room for a further call, of so many bytes.
  func hasRoom(forByteCount count: Int) -> Bool {
    calls.count < countLimit && byteCount + count <= byteLimit
  }

  /// A call of so many bytes is about to be handled, which the journal has at `cursor`.
  mutating func begin(_ id: CallID, byteCount: Int, cursor: Int?) {
    handled = (id, Call(byteCount: byteCount, cursor: cursor, start: metrics.callBegins()))
  }

  /// The call that began last was handled: unless it was answered, its answer will come later.
  mutating func finishHandling() {
    guard case (let id, var call)? = handled else { return }
    handled = nil
    if call.start == 0 { call.start = MonotonicTime.nanoseconds }
    byteCount += call.byteCount - (calls.updateValue(call, forKey: id)?.byteCount ?? 0)
  }

  /// A call was acknowledged.
  ///
  /// - Returns: where the journal has it.
  mutating func acknowledged(_ id: CallID, action: String) -> Int? {
    if handled?.id == id {
      handled?.call.acknowledgedAction = action
      return handled?.call.cursor
    }
    calls[id]?.acknowledgedAction = action
    return calls[id]?.cursor
  }

  /// The action of a call that was acknowledged and not answered yet.
  func acknowledgedAction(of id: CallID) -> String? { calls[id]?.acknowledgedAction }

  /// A call was answered for good.
  ///
  /// - Returns: where the journal has it.
  @discardableResult
  mutating func answered(_ id: CallID) -> Int? {
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
