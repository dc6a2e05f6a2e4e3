import DequeModule

/// The calls of one page by their correlation ids: the open ones and the latest answers. So a call that arrives twice takes effect exactly
/// once.
///
/// A call whose answer was dropped for lack of room is still known to have run. It never runs again.
struct KnownCalls {
  private struct Call {
    /// A hash of the request; nil if it is no longer known.
    let request: Int?
    /// Its position in a series of ids; nil if the page has chosen the id.
    let number: CallNumber?
    /// Its answer and the answer's number; nil for an open call.
    var answer: (text: [UInt8], number: Int)?
  }

  private var calls: [CallID: Call] = [:]
  /// The latest call whose id the page has used before, for another call.
  private(set) var reusedCall: CallID?
  private var series = CallSeries()
  private var forgottenRequests = ForgottenRequests()
  /// Whether answers were forgotten since ``takeForgotten()``.
  private var hasForgotten = false
  /// The kept answers, oldest first. Of several answers to one call, only the last counts.
  private var order = Deque<(call: CallID, number: Int)>()
  private var answerCount = 0
  private var byteCount = 0
  /// The calls of earlier connections that were not repeated on this one.
  private var repeatable: Set<CallID> = []

  /// Creates a record without calls.
  init() {}

  /// Creates a record of the calls that an earlier run of the server has answered.
  init(_ answers: [PageChange.Answer], forgotten: ForgottenCalls) {
    series = CallSeries(forgotten)
    for answer in answers {
      var id = answer.correlationId
      let call = CallID(id)
      let number = id.withUTF8 { series.number(of: $0) }
      if calls[call] == nil { calls[call] = Call(request: nil, number: number) }
      answered(call, answer.text)
    }
    hasForgotten = false
  }

  /// The page has opened a connection. It may repeat earlier calls.
  mutating func connected() {
    series.connected()
    repeatable = Set(calls.keys).union(forgottenRequests.calls)
  }

  /// A call arrived whose id the page has chosen; `request` is a hash of what it asks. Pages may reuse ids. The same request with the same
  /// id is the same call only once, on a new connection.
  mutating func beginPages(_ call: CallID, request: Int) -> PageDelivery.RequestAction {
    if !repeatable.isEmpty, repeatable.remove(call) != nil {
      if let known = calls[call] {
        if known.request ?? request == request { return action(of: known) }
      } else if forgottenRequests.contains(call, request: request) {
        return .refuse
      }
    }
    let new = Call(request: request, number: nil)
    guard let former = calls.updateValue(new, forKey: call) else { return .handle }
    reusedCall = call
    if let answer = former.answer { byteCount -= answer.text.count }
    return .handle
  }

  /// A call arrived, with its correlation id in UTF-8.
  mutating func begin(_ call: CallID, _ id: UnsafeBufferPointer<UInt8>) -> PageDelivery.RequestAction {
    if let known = calls[call] { return action(of: known) }
    let number = series.number(of: id)
    if let number, !series.begin(number) { return .refuse }
    calls[call] = Call(request: nil, number: number)
    return .handle
  }

  private func action(of known: Call) -> PageDelivery.RequestAction { known.answer.map { .answer($0.text) } ?? .wait }

  /// A call was answered with `text`, perhaps not for the first time. The oldest answers are dropped for lack of room.
  mutating func answered(_ call: CallID, _ text: [UInt8]) {
    let answer = (text, answerCount)
    if let index = calls.index(forKey: call) {
      byteCount -= calls.values[index].answer?.text.count ?? 0
      calls.values[index].answer = answer
    } else {
      calls[call] = Call(request: nil, number: nil, answer: answer)
    }
    order.append((call, answerCount))
    answerCount += 1
    byteCount += text.count
    while order.count > PageDelivery.messageLimit || (byteCount > PageDelivery.byteLimit && order.count > 1) {
      drop(order.removeFirst())
    }
  }

  /// Drops the oldest answers until the others have at most `limit` bytes.
  mutating func forgetAnswers(above limit: Int) {
    while byteCount > limit, !order.isEmpty { drop(order.removeFirst()) }
  }

  private mutating func drop(_ oldest: (call: CallID, number: Int)) {
    guard let index = calls.index(forKey: oldest.call), let answer = calls[index].value.answer,
      answer.number == oldest.number
    else { return }
    byteCount -= answer.text.count
    let call = calls.remove(at: index).value
    if let number = call.number {
      series.forget(number)
      hasForgotten = true
    } else if let request = call.request {
      forgottenRequests.append(oldest.call, request: request)
    }
  }

  /// The calls that have run and whose answers are forgotten, if there are new ones since the last time.
  mutating func takeForgotten() -> ForgottenCalls? {
    guard hasForgotten else { return nil }
    hasForgotten = false
    return series.record(open: calls.values.filter { $0.answer == nil }.compactMap(\.number))
  }

  /// What was taken may not have been stored.
  mutating func undoTakingForgotten() {
    hasForgotten = true
  }
}
