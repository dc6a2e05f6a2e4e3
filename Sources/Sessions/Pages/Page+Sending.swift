import BridgeCore
import WebServer

/// Messages to the page: sent at once, or when the store has what they tell of; and recorded in the journal.
extension Page {
  /// Sends the answer to a request. `message` is the request or its answer.
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
      delivery.answered(call.id, by: message, text)
    }
    send(text, .answer(call.id))
    text.withUnsafeBufferPointer { note(.response, $0, of: call.owner, timestamp: timestamp, cause: cause, answer) }
  }

  /// The cursor of the request that is answered. An acknowledged request still needs an answer.
  func cause(ofAnswerTo message: BridgeMessage, _ call: CallID, status: BridgeResponseStatus?) -> Int? {
    status == .acknowledged ? openCalls.acknowledged(call, action: message.action) : openCalls.answered(call)
  }

  /// Records a message to the page in the journal, unless it is one of Footbridge's own.
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

  /// The action of a request that was acknowledged and has no result yet.
  package func acknowledgedAction(of correlationID: String) -> String? {
    openCalls.acknowledgedAction(of: CallID(correlationID))
  }

  /// Sends a text: at once, or when the state that it may tell of is stored.
  func send(_ text: [UInt8], _ origin: PageOutbox.Origin) {
    if case .answer(let call) = origin {
      if urgentCalls.answered(call, text) { return }
      // The page gets it when it repeats the call.
      if !takesAnswers { return }
    }
    guard let connection else { return }
    metrics.sentMessages &+= 1
    guard isDurable else { return text.withUnsafeBufferPointer(connection.sendText) }
    outbox.append(PageOutbox.Message(text: text, origin: origin))
    // The change that a text tells of may come after it, in the same turn.
    if !isHandling { session.releaseAfterTurn() }
  }
}
