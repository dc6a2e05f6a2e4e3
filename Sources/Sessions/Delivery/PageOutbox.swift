/// The messages to a page that wait until the session's state is stored, in order.
struct PageOutbox {
  /// The text of a message, and its origin, by which it is found if the state cannot be stored.
  struct Message: Equatable {
    let text: [UInt8]
    let origin: Origin
  }

  /// The origin of a message.
  enum Origin: Hashable {
    /// An event or a request with this sequence number.
    case sequence(Int)
    /// The answer to this request.
    case answer(CallID)
  }

  private var messages: [Message] = []
  private var coveredCount = 0

  /// Adds a message.
  mutating func append(_ message: Message) {
    messages.append(message)
  }

  /// Marks the waiting messages: the state that is about to be stored covers them.
  mutating func cover() {
    coveredCount = messages.count
  }

  /// Removes and returns the marked messages, since the state is stored.
  mutating func takeCovered() -> [Message] {
    if coveredCount == messages.count { return takeAll() }
    defer {
      messages.removeFirst(coveredCount)
      coveredCount = 0
    }
    return Array(messages.prefix(coveredCount))
  }

  /// Removes and returns all messages.
  mutating func takeAll() -> [Message] {
    defer { removeAll() }
    return messages
  }

  /// Drops the messages about changes that could not be stored. The others continue to wait.
  mutating func drop(_ lost: Set<Origin>) {
    messages.removeAll { lost.contains($0.origin) }
    coveredCount = 0
  }

  /// Drops all messages, since the connection was lost.
  mutating func removeAll() {
    messages = []
    coveredCount = 0
  }
}
