import DequeModule

/// The calls of one page by their correlation ids: those that are open, and the latest answers, so that a call that comes twice has its
/// effect once.
///
/// Of an id only the hash is kept, whose seed no page knows: the oldest of a thousand ids is in no cache of the processor any more, and to
/// look at it takes longer than the rest of a call. That two ids have the same hash happens once in 2⁶⁴.
struct KnownCalls {
  private enum Call {
    case open
    /// It was answered; `number` tells its place among the answers.
    case answered([UInt8], number: Int)
  }

  private var calls: [Int: Call] = [:]
  /// The answers that are kept, oldest first. Of those to the same call only the last one counts.
  private var order = Deque<(call: Int, number: Int)>()
  private var answerCount = 0
  private var byteCount = 0
  /// The calls of earlier connections that were not asked again on this one.
  private var repeatable: Set<Int> = []

  /// The page has opened a connection: it may send again what it asked before.
  mutating func connected() {
    repeatable = Set(calls.keys)
  }

  /// A call arrived whose id is the page's own choice. Pages may use one again: only on a new connection, and once, is that the same call.
  mutating func beginPages(_ id: String) -> PageDelivery.RequestAction {
    let call = id.hashValue
    if !repeatable.isEmpty, repeatable.remove(call) != nil { return begin(call) }
    if case .answered(let text, _)? = calls.updateValue(.open, forKey: call) { byteCount -= text.count }
    return .handle
  }

  /// A call arrived.
  mutating func begin(_ id: String) -> PageDelivery.RequestAction {
    begin(id.hashValue)
  }

  private mutating func begin(_ call: Int) -> PageDelivery.RequestAction {
    switch calls.updateValue(.open, forKey: call) {
    case nil: return .handle
    case .open?: return .wait
    case .answered(let text, let number)?:
      calls[call] = .answered(text, number: number)
      return .answer(text)
    }
  }

  /// A call was answered with `text`, perhaps not for the first time. The oldest answers make room.
  mutating func answered(_ id: String, _ text: [UInt8]) {
    let call = id.hashValue
    if case .answered(let earlier, _)? = calls.updateValue(.answered(text, number: answerCount), forKey: call) {
      byteCount -= earlier.count
    }
    order.append((call, answerCount))
    answerCount += 1
    byteCount += text.count
    while order.count > PageDelivery.messageLimit || (byteCount > PageDelivery.byteLimit && order.count > 1) {
      drop(order.removeFirst())
    }
  }

  private mutating func drop(_ oldest: (call: Int, number: Int)) {
    guard let index = calls.index(forKey: oldest.call), case .answered(let text, oldest.number) = calls[index].value
    else { return }
    byteCount -= text.count
    calls.remove(at: index)
  }
}
