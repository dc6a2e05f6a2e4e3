import DequeModule

/// The events and requests that a page may not have received, by sequence number. The oldest are dropped for lack of room.
struct UnconfirmedMessages {
  private var messages = Deque<(sequence: Int, text: [UInt8])>()
  private var byteCount = 0

  /// The number of the oldest one.
  var oldestSequence: Int? { messages.first?.sequence }

  /// Everything there is, oldest first.
  var all: [(sequence: Int, text: [UInt8])] { Array(messages) }

  /// Adds a message. Its number is higher than all others.
  mutating func append(_ sequence: Int, _ text: [UInt8]) {
    messages.append((sequence, text))
    byteCount += text.count
    while messages.count > PageDelivery.messageLimit || (byteCount > PageDelivery.byteLimit && messages.count > 1) {
      dropFirst()
    }
  }

  /// The page has received everything up to `sequence`.
  mutating func confirm(through sequence: Int) {
    while let oldest = oldestSequence, oldest <= sequence { dropFirst() }
  }

  /// Forgets one message.
  mutating func remove(_ sequence: Int) {
    guard let index = messages.firstIndex(where: { $0.sequence == sequence }) else { return }
    byteCount -= messages.remove(at: index).text.count
  }

  private mutating func dropFirst() {
    byteCount -= messages.removeFirst().text.count
  }
}
