/// The message of a page that is being handled: nearly all answers are given meanwhile, and need not look their call up.
struct HandledMessage {
  private var message: ObjectIdentifier?
  private var call: PageCall?
  /// Where the journal has the message; nil when it is Footbridge's own. It stays when the message is handled: a program may receive one
  /// itself, and what comes of it is caused by this one.
  private(set) var cursor: Int?

  /// A message is about to be handled.
  mutating func begin(_ message: ObjectIdentifier, _ call: PageCall, cursor: Int?) {
    self.message = message
    self.call = call
    self.cursor = cursor
  }

  /// The message is handled.
  mutating func end() {
    message = nil
    call = nil
  }

  /// The call that a message is; nil for one that is not being handled.
  func call(of message: ObjectIdentifier) -> PageCall? {
    self.message == message ? call : nil
  }
}
