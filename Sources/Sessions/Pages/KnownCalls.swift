import DequeModule

/// The calls of one page by their correlation ids: the open ones and the latest answers. So a call that arrives twice takes effect exactly
/// once.
///
/// A call whose answer was dropped for lack of room is still known to have run. It never runs again.
struct KnownCalls {
  private var calls = CallTable()
  /// The latest call whose id the page has used before, for another call.
  private(set) var reusedCall: CallID?
  private var series = CallSeries()
  /// Whether answers were forgotten since ``takeForgotten()``.
  private var hasForgotten = false
  /// The kept answers, oldest first: the positions of their calls, and their numbers. Of several answers to one call, only the last counts.
  private var order = Deque<(position: Int, number: Int)>()
  private var answerCount = 0
  private var byteCount = 0
  /// Counts the page's connections.
  private var connection: UInt32 = 0

  /// Creates a record without calls.
  init() {}

  /// Creates a record of the calls that an earlier run of the server has answered.
  init(_ answers: [PageChange.Answer], forgotten: ForgottenCalls) {
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

  /// The page has opened a connection. It may repeat earlier calls.
  mutating func connected() {
    series.connected()
    connection += 1
  }

  /// A call arrived whose id the page has chosen; `request` is a hash of what it asks. Pages may reuse ids. The same request with the same
  /// id is the same call only once, on a new connection.
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

  /// A call arrived, with its correlation id in UTF-8.
  mutating func begin(_ call: CallID, _ id: UnsafeBufferPointer<UInt8>) -> PageDelivery.RequestAction {
    if let position = calls.position(of: call), calls[position].state != .forgotten {
      return action(of: calls[position])
    }
    let number = series.number(of: id)
    if let number, !series.begin(number) { return .refuse }
    calls.append(CallTable.Call(call, number: number, connection: connection))
    return .handle
  }

  private func action(of known: CallTable.Call) -> PageDelivery.RequestAction {
    switch known.state {
    case .open, .gone: .wait
    case .answered: .answer(known.answer)
    case .forgotten: .refuse
    }
  }

  /// A call was answered with `text`, perhaps not for the first time. The oldest answers are dropped for lack of room.
  mutating func answered(_ call: CallID, _ text: [UInt8]) {
    let position = calls.position(of: call) ?? calls.append(CallTable.Call(call, connection: connection))
    byteCount += text.count - calls.answer(position, with: text, number: answerCount)
    order.append((position, answerCount))
    answerCount += 1
    while order.count > PageDelivery.messageLimit || (byteCount > PageDelivery.byteLimit && order.count > 1) {
      drop(order.removeFirst())
    }
  }

  /// Drops the oldest answers until the others have at most `limit` bytes.
  mutating func forgetAnswers(above limit: Int) {
    while byteCount > limit, !order.isEmpty { drop(order.removeFirst()) }
  }

  private mutating func drop(_ oldest: (position: Int, number: Int)) {
    guard let forgotten = calls.forgetAnswer(oldest.position, number: oldest.number) else { return }
    byteCount -= forgotten.byteCount
    guard let number = forgotten.call else { return }
    series.forget(number)
    hasForgotten = true
  }

  /// The calls that have run and whose answers are forgotten, if there are new ones since the last time.
  mutating func takeForgotten() -> ForgottenCalls? {
    guard hasForgotten else { return nil }
    hasForgotten = false
    return series.record(open: calls.all.filter { $0.state == .open }.compactMap(\.number))
  }

  /// What was taken may not have been stored.
  mutating func undoTakingForgotten() {
    hasForgotten = true
  }
}
