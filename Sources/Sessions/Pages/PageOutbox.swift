/// The texts that wait until the session's state is stored, in the order in which the page gets them.
struct PageOutbox {
  /// A text and its kind, which matters if the state could not be stored.
  struct Message: Equatable {
    let text: [UInt8]
    let origin: Origin
  }

  /// The kind of a text.
  enum Origin: Hashable {
    /// An event or a request with this sequence number.
    case sequence(Int)
    /// The answer to this request.
    case answer(CallID)
  }

  private var messages: [Message] = []
  private var coveredCount = 0

  /// Adds a text.
  mutating func append(_ message: Message) {
    messages.append(message)
  }

  /// The current state is about to be stored. What waits now can be sent when it is.
  mutating func cover() {
    coveredCount = messages.count
  }

  /// The state was stored. Removes and returns what waited for it.
  mutating func takeCovered() -> [Message] {
    defer {
      messages.removeFirst(coveredCount)
      coveredCount = 0
    }
    return Array(messages.prefix(coveredCount))
  }

  /// Nothing must wait. Removes and returns everything.
  mutating func takeAll() -> [Message] {
    defer { removeAll() }
    return messages
  }

  /// The state was lost. Drops the texts that tell of it. The others keep waiting.
  mutating func drop(_ lost: Set<Origin>) {
    messages.removeAll { lost.contains($0.origin) }
    coveredCount = 0
  }

  /// The connection was lost. Drops everything.
  mutating func removeAll() {
    messages = []
    coveredCount = 0
  }
}
