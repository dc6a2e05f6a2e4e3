/// Decides, from the number of messages in a turn of the loop, whether to send an answer at once. A state machine.
///
/// Each write is a system call that wakes the peer. With many busy peers, it is cheaper to read from all of them first.
/// With one message at a time, waiting gains nothing.
struct MessagesInTurn {
  private var count = 0
  /// Whether the latest turn with messages had exactly one, and no answer has been sent at once since.
  private var isQuiet = false

  /// A message has arrived.
  mutating func received() {
    count += 1
  }

  /// The turn has ended.
  mutating func turnEnded() {
    guard count > 0 else { return }
    isQuiet = count == 1
    count = 0
  }

  /// Whether an answer can be sent at once. Returns true at most once a turn; further answers to the same message are
  /// sent together.
  mutating func answersAtOnce() -> Bool {
    guard isQuiet, count == 1 else { return false }
    isQuiet = false
    return true
  }
}
