import DequeModule

/// The events and requests that a page may not have received, by sequence number. If there are too many, the oldest are dropped.
struct UnconfirmedMessages {
  private var messages = Deque<(sequence: Int, text: [UInt8], request: String?)>()
  /// The size of the messages in bytes.
  private(set) var byteCount = 0
  /// The numbers of the dropped messages. A page that is connected has received most of them.
  private var dropped: [ClosedRange<Int>] = []
  /// The correlation ids of the requests among them.
  private var droppedRequests = Deque<(sequence: Int, id: String)>()

  /// The number of the oldest message; nil if there is none.
  var oldestSequence: Int? { messages.first?.sequence }

  /// All messages, oldest first.
  var all: [(sequence: Int, text: [UInt8])] { messages.map { ($0.sequence, $0.text) } }

  /// Adds a message, and drops the oldest until the others have at most `byteLimit` bytes. Its number must be higher than all others. `request`
  /// is the correlation id of a request.
  mutating func append(_ sequence: Int, _ text: [UInt8], request: String? = nil, byteLimit: Int) {
    messages.append((sequence, text, request))
    byteCount += text.count
    while messages.count > PageDelivery.messageLimit || (byteCount > byteLimit && !messages.isEmpty) {
      let oldest = removeFirst()
      noteDropped(oldest.sequence, request: oldest.request)
    }
  }

  /// Removes the messages up to `sequence`, which the page has received.
  mutating func confirm(through sequence: Int) {
    while let oldest = oldestSequence, oldest <= sequence { _ = removeFirst() }
  }

  /// Removes one message.
  mutating func remove(_ sequence: Int) {
    guard let index = messages.firstIndex(where: { $0.sequence == sequence }) else { return }
    byteCount -= messages.remove(at: index).text.count
  }

  /// Returns the dropped messages that a page has lost which has received all messages up to `sequence`; nil if it has lost none. Each is
  /// returned once.
  mutating func takeLost(after sequence: Int) -> LostMessages? {
    defer {
      dropped = []
      droppedRequests = []
    }
    let count = dropped.reduce(0) { $0 + max($1.upperBound - max($1.lowerBound - 1, sequence), 0) }
    return count == 0
      ? nil : LostMessages(count: count, requests: droppedRequests.filter { $0.sequence > sequence }.map(\.id))
  }

  private mutating func noteDropped(_ sequence: Int, request: String?) {
    if let last = dropped.last, last.upperBound + 1 == sequence {
      dropped[dropped.count - 1] = last.lowerBound...sequence
    } else {
      dropped.append(sequence...sequence)
    }
    guard let request else { return }
    droppedRequests.append((sequence, request))
    if droppedRequests.count > PageDelivery.messageLimit { droppedRequests.removeFirst() }
  }

  private mutating func removeFirst() -> (sequence: Int, text: [UInt8], request: String?) {
    let first = messages.removeFirst()
    byteCount -= first.text.count
    return first
  }
}

/// Messages of the host that a page will never get: it was away, and too many waited for it.
package struct LostMessages: Equatable, Sendable {
  /// How many there are.
  package let count: Int
  /// The correlation ids of the requests among them, which get no answer.
  package let requests: [String]

  /// The reason as a sentence for the page's developer.
  package var message: String {
    "\(count) messages of native have not reached this page: it was away, and more than \(PageDelivery.messageLimit) messages or "
      + "\(PageDelivery.byteLimit) bytes waited for it."
  }
}
