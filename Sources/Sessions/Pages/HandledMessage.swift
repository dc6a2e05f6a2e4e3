/// The message of a page that is being handled. Nearly all answers come meanwhile, and so need no search for their call.
struct HandledMessage {
  private var message: ObjectIdentifier?
  private var call: PageCall?
  /// The cursor of the message's journal entry; nil for one of Footbridge's own. It stays after the message was handled: a program may
  /// receive a message itself, and this message is the cause of what follows.
  private(set) var cursor: Int?

  /// Begins to handle a message.
  mutating func begin(_ message: ObjectIdentifier, _ call: PageCall, cursor: Int?) {
    self.message = message
    self.call = call
    self.cursor = cursor
  }

  /// Notes that the message was handled.
  mutating func end() {
    message = nil
    call = nil
  }

  /// The call of a message; nil if the message is not being handled.
  func call(of message: ObjectIdentifier) -> PageCall? {
    self.message == message ? call : nil
  }
}
