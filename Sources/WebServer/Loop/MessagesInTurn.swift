/// How many messages one turn of the loop brings, as a state machine: tells whether an answer can be written at once.
///
/// To write is a system call that has the peer wake up. With many peers at work it is cheaper to read from all of them first, and
/// with one message at a time nothing is gained by waiting.
struct MessagesInTurn {
  private var count = 0
  /// Whether the latest turn with messages brought one, and no answer has gone out at once since.
  private var isQuiet = false

  /// A message has come.
  mutating func received() {
    count += 1
  }

  /// The turn is over.
  mutating func turnEnded() {
    guard count > 0 else { return }
    isQuiet = count == 1
    count = 0
  }

  /// Whether what a message has a connection send can go out at once. It says so once a turn: what the same message has sent after that
  /// goes out together.
  mutating func answersAtOnce() -> Bool {
    guard isQuiet, count == 1 else { return false }
    isQuiet = false
    return true
  }
}
