import DequeModule

/// The calls of one page by their correlation ids: those that are open, and the latest answers, so that a call that comes twice has its
/// effect once.
struct KnownCalls {
  private enum Call {
    case open
    /// It was answered; `number` tells its place among the answers.
    case answered([UInt8], number: Int)
  }

  private var calls: [String: Call] = [:]
  /// The ids of the answers that are kept, oldest first. Of those that have the same id only the last one counts.
  private var order = Deque<(id: String, number: Int)>()
  private var answerCount = 0
  private var byteCount = 0
  /// The calls of earlier connections that were not asked again on this one.
  private var repeatable: Set<String> = []

  /// The page has opened a connection: it may send again what it asked before.
  mutating func connected() {
    repeatable = Set(calls.keys)
  }

  /// A call arrived whose id is the page's own choice. Pages may use one again: only on a new connection, and once, is that the same call.
  mutating func beginPages(_ id: String) -> PageDelivery.RequestAction {
    if !repeatable.isEmpty, repeatable.remove(id) != nil { return begin(id) }
    if case .answered(let text, _)? = calls.updateValue(.open, forKey: id) { byteCount -= text.count }
    return .handle
  }

  /// A call arrived.
  mutating func begin(_ id: String) -> PageDelivery.RequestAction {
    switch calls.updateValue(.open, forKey: id) {
    case nil: return .handle
    case .open?: return .wait
    case .answered(let text, let number)?:
      calls[id] = .answered(text, number: number)
      return .answer(text)
    }
  }

  /// A call was answered with `text`, perhaps not for the first time. The oldest answers make room.
  mutating func answered(_ id: String, _ text: [UInt8]) {
    if case .answered(let earlier, _)? = calls.updateValue(.answered(text, number: answerCount), forKey: id) {
      byteCount -= earlier.count
    }
    order.append((id, answerCount))
    answerCount += 1
    byteCount += text.count
    while order.count > PageDelivery.messageLimit || (byteCount > PageDelivery.byteLimit && order.count > 1) {
      drop(order.removeFirst())
    }
  }

  private mutating func drop(_ oldest: (id: String, number: Int)) {
    guard let index = calls.index(forKey: oldest.id), case .answered(let text, oldest.number) = calls[index].value
    else { return }
    byteCount -= text.count
    calls.remove(at: index)
  }
}
