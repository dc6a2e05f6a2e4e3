/// The texts that wait for the session's state to be kept, in the order in which the page gets them.
struct PageOutbox {
  /// A text and what it is, as far as that matters when the state could not be kept.
  struct Message: Equatable {
    let text: [UInt8]
    let origin: Origin
  }

  /// What a text is.
  enum Origin: Hashable {
    /// An event or a request of this sequence number.
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

  /// The state is about to be kept as it is now: what waits now can be sent when it is.
  mutating func cover() {
    coveredCount = messages.count
  }

  /// The state was kept: takes out what waited for that.
  mutating func takeCovered() -> [[UInt8]] {
    defer {
      messages.removeFirst(coveredCount)
      coveredCount = 0
    }
    return messages.prefix(coveredCount).map(\.text)
  }

  /// Nothing need wait: takes out everything.
  mutating func takeAll() -> [[UInt8]] {
    cover()
    return takeCovered()
  }

  /// The state was lost: drops the texts that tell of it. The others wait on.
  mutating func drop(_ lost: Set<Origin>) {
    messages.removeAll { lost.contains($0.origin) }
    coveredCount = 0
  }

  /// The connection was lost: drops everything.
  mutating func removeAll() {
    messages = []
    coveredCount = 0
  }
}
