import DequeModule

/// The calls of one page by their correlation ids: those that are open, and the latest answers, so that a call that comes twice has its
/// effect once.
struct KnownCalls {
  private struct Call {
    /// A hash of what was asked; nil when that is not known any more.
    let request: Int?
    /// Its answer, and the place that it has among the answers; nil for a call that is open.
    var answer: (text: [UInt8], number: Int)?
  }

  private var calls: [CallID: Call] = [:]
  /// The answers that are kept, oldest first. Of those to the same call only the last one counts.
  private var order = Deque<(call: CallID, number: Int)>()
  private var answerCount = 0
  private var byteCount = 0
  /// The calls of earlier connections that were not asked again on this one.
  private var repeatable: Set<CallID> = []

  /// The page has opened a connection: it may send again what it asked before.
  mutating func connected() {
    repeatable = Set(calls.keys)
  }

  /// A call arrived whose id is the page's own choice, with a hash of what it asks. Pages may use an id again: only on a new connection, and
  /// once, is what asks the same the same call.
  mutating func beginPages(_ call: CallID, request: Int) -> PageDelivery.RequestAction {
    if !repeatable.isEmpty, repeatable.remove(call) != nil, let known = calls[call],
      known.request ?? request == request
    {
      return begin(call)
    }
    if let answer = calls.updateValue(Call(request: request), forKey: call)?.answer { byteCount -= answer.text.count }
    return .handle
  }

  /// A call arrived.
  mutating func begin(_ call: CallID) -> PageDelivery.RequestAction {
    guard let known = calls[call] else {
      calls[call] = Call(request: nil)
      return .handle
    }
    return known.answer.map { .answer($0.text) } ?? .wait
  }

  /// A call was answered with `text`, perhaps not for the first time. The oldest answers make room.
  mutating func answered(_ call: CallID, _ text: [UInt8]) {
    let answer = (text, answerCount)
    if let index = calls.index(forKey: call) {
      byteCount -= calls.values[index].answer?.text.count ?? 0
      calls.values[index].answer = answer
    } else {
      calls[call] = Call(request: nil, answer: answer)
    }
    order.append((call, answerCount))
    answerCount += 1
    byteCount += text.count
    while order.count > PageDelivery.messageLimit || (byteCount > PageDelivery.byteLimit && order.count > 1) {
      drop(order.removeFirst())
    }
  }

  private mutating func drop(_ oldest: (call: CallID, number: Int)) {
    guard let index = calls.index(forKey: oldest.call), let answer = calls[index].value.answer,
      answer.number == oldest.number
    else { return }
    byteCount -= answer.text.count
    calls.remove(at: index)
  }
}
