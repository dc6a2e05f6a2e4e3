import DequeModule

/// The events and requests that a page may not have received, by sequence number. If there are too many, the oldest are dropped.
struct UnconfirmedMessages {
  private var messages = Deque<(sequence: Int, text: [UInt8])>()
  private var byteCount = 0

  /// The number of the oldest message; nil if there is none.
  var oldestSequence: Int? { messages.first?.sequence }

  /// All messages, oldest first.
  var all: [(sequence: Int, text: [UInt8])] { Array(messages) }

  /// Adds a message. Its number must be higher than all others.
  mutating func append(_ sequence: Int, _ text: [UInt8]) {
    messages.append((sequence, text))
    byteCount += text.count
    while messages.count > PageDelivery.messageLimit || (byteCount > PageDelivery.byteLimit && messages.count > 1) {
      dropFirst()
    }
  }

  /// Removes the messages up to `sequence`, which the page has received.
  mutating func confirm(through sequence: Int) {
    while let oldest = oldestSequence, oldest <= sequence { dropFirst() }
  }

  /// Removes one message.
  mutating func remove(_ sequence: Int) {
    guard let index = messages.firstIndex(where: { $0.sequence == sequence }) else { return }
    byteCount -= messages.remove(at: index).text.count
  }

  private mutating func dropFirst() {
    byteCount -= messages.removeFirst().text.count
  }
}
