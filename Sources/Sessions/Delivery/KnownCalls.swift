import DequeModule

/// The calls of one page and their latest answers, by correlation id. So a call that arrives twice takes effect exactly once.
///
/// If there are too many answers, the oldest are deleted. Their calls are still known to have run, and never run again.
struct KnownCalls {
  private var calls = CallTable()
  /// The latest call with an id that the page has used before for another call.
  private(set) var reusedCall: CallID?
  private var series = CallSeries()
  /// Whether answers were deleted since ``takeForgotten()``.
  private var hasForgotten = false
  /// The kept answers, oldest first, as the position of the call and the number of the answer. If a call has several answers, the last one
  /// counts.
  private var order = Deque<(position: Int, number: Int)>()
  private var answerCount = 0
  private var byteCount = 0
  /// The number of the page's connections so far.
  private var connection: UInt32 = 0

  /// Creates a record without calls.
  init() {}

  /// Creates a record of the calls that an earlier run of the server has answered.
  init(_ answers: [PageChange.Answer], forgotten: EvictedCalls) {
    series = CallSeries(forgotten)
    for answer in answers {
      var id = answer.correlationId
      let call = CallID(id)
      let number = id.withUTF8 { series.number(of: $0) }
      if calls.position(of: call) == nil { calls.append(CallTable.Call(call, number: number, connection: connection)) }
      answered(call, answer.text)
    }
    hasForgotten = false
  }

  /// Whether a call is known.
  func contains(_ call: CallID) -> Bool { calls.position(of: call) != nil }

  /// Notes that the page has opened a connection. It may repeat earlier calls.
  mutating func connected() {
    series.connected()
    connection += 1
  }

  /// Decides a call whose id the page has chosen. Pages may reuse ids, so a call counts as repeated only if it has the same id and text, and
  /// only once on each new connection.
  ///
  /// - Parameter request: A hash of the call's text.
  mutating func beginPages(_ call: CallID, request: Int) -> PageDelivery.RequestAction {
    if let position = calls.position(of: call) {
      if calls[position].connection != connection {
        calls[position].connection = connection
        let known = calls[position]
        if known.request ?? request == request { return action(of: known) }
      }
      if calls[position].state != .forgotten {
        reusedCall = call
        byteCount -= calls[position].answer.count
      }
      calls.remove(position)
    }
    calls.append(CallTable.Call(call, request: request, connection: connection))
    return .handle
  }

  /// Decides a call whose id the shim has chosen. `id` is the correlation id in UTF-8.
  mutating func begin(_ call: CallID, _ id: UnsafeBufferPointer<UInt8>) -> PageDelivery.RequestAction {
    // A forgotten call of the page's own is another one with the same id.
    if let position = calls.position(of: call),
      calls[position].state != .forgotten || calls[position].request == nil
    {
      return action(of: calls[position])
    }
    let number = series.number(of: id)
    if let number, !series.begin(number) { return .refuse }
    calls.append(CallTable.Call(call, number: number, connection: connection))
    return .handle
  }

  private func action(of known: CallTable.Call) -> PageDelivery.RequestAction {
    switch known.state {
    case .open, .ended: .wait
    case .answered: .answer(known.answer)
    case .forgotten: .refuse
    }
  }

  /// Keeps an answer, which replaces an earlier one to the same call. If there are too many answers, deletes the oldest.
  mutating func answered(_ call: CallID, _ text: [UInt8]) {
    let position = calls.position(of: call) ?? calls.append(CallTable.Call(call, connection: connection))
    byteCount += text.count - calls.answer(position, with: text, number: answerCount)
    order.append((position, answerCount))
    answerCount += 1
    while order.count > PageDelivery.messageLimit || (byteCount > PageDelivery.byteLimit && order.count > 1) {
      drop(order.removeFirst())
    }
  }

  /// Deletes the oldest answers until the others have at most `limit` bytes.
  mutating func forgetAnswers(above limit: Int) {
    while byteCount > limit, !order.isEmpty { drop(order.removeFirst()) }
  }

  private mutating func drop(_ oldest: (position: Int, number: Int)) {
    let isCovered = calls.number(at: oldest.position).map(series.covers) ?? false
    guard let forgotten = calls.forgetAnswer(oldest.position, number: oldest.number, isCovered: isCovered) else {
      return
    }
    byteCount -= forgotten.byteCount
    guard let number = forgotten.call else { return }
    series.forget(number)
    hasForgotten = true
  }

  /// Returns the calls that have run and whose answers are deleted; nil if there are no new ones since the last time.
  mutating func takeForgotten() -> EvictedCalls? {
    guard hasForgotten else { return nil }
    hasForgotten = false
    return series.record(open: calls.all.filter { $0.state == .open }.compactMap(\.number))
  }

  /// Notes that the calls of the last ``takeForgotten()`` may not have been stored. The next call returns them again.
  mutating func undoTakingForgotten() {
    hasForgotten = true
  }
}
