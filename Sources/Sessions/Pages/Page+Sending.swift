import BridgeCore
import WebServer

/// What goes to the page: at once, or when the store has what it tells of; and into the journal.
extension Page {
  /// Sends the answer to a request; `message` is the request or what answers it.
  func sendAnswer(
    _ text: [UInt8],
    to message: BridgeMessage,
    _ call: PageCall,
    status: BridgeResponseStatus?,
    timestamp: Double,
    answer: () -> BridgeMessage
  ) {
    let cause = cause(ofAnswerTo: message, call.id, status: status)
    if isFoundAgain, call.owner != .footbridge || message.action != FootbridgeAction.hello {
      delivery.answered(call.id, correlationId: message.correlationId, action: message.action, text)
    }
    send(text, .answer(call.id))
    text.withUnsafeBufferPointer { note(.response, $0, of: call.owner, timestamp: timestamp, cause: cause, answer) }
  }

  /// Where the journal has the request that is answered. What is acknowledged is still to be answered.
  func cause(ofAnswerTo message: BridgeMessage, _ call: CallID, status: BridgeResponseStatus?) -> Int? {
    status == .acknowledged ? openCalls.acknowledged(call, action: message.action) : openCalls.answered(call)
  }

  /// Adds what the page was sent to the journal, unless it is Footbridge's own.
  func note(
    _ kind: JournalEntry.Kind,
    _ text: UnsafeBufferPointer<UInt8>,
    of owner: ActionOwner,
    timestamp: Double,
    cause: Int?,
    _ message: () -> BridgeMessage
  ) {
    if owner == .footbridge { return }
    journal.append(kind, page: name, of: owner, text: text, time: timestamp, cause: cause, message: message())
  }

  /// The action of a request that was acknowledged and whose result is still to come.
  package func acknowledgedAction(of correlationID: String) -> String? {
    openCalls.acknowledgedAction(of: CallID(correlationID))
  }

  /// Sends a text: at once, or when the state is kept that it may tell of.
  func send(_ text: [UInt8], _ origin: PageOutbox.Origin) {
    guard let connection else { return }
    metrics.sentMessages &+= 1
    guard isDurable else { return text.withUnsafeBufferPointer(connection.sendText) }
    outbox.append(PageOutbox.Message(text: text, origin: origin))
    // What is sent may come before the change that it tells of, in the same turn.
    if !isHandling { session.releaseAfterTurn() }
  }
}
