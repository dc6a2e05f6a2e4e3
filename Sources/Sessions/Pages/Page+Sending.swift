import BridgeCore
import WebServer

/// Messages to the page: sent at once, or when the store has what they tell of; and recorded in the journal.
extension Page {
  /// Sends an event, or a request to the page.
  func send(sequenced message: BridgeMessage) { send(message, sequence: nextSequence()) }

  func send(_ message: BridgeMessage, sequence: Int?) {
    let call = call(of: message)
    var writer = JSONWriter()
    writer.bytes.reserveCapacity(message.byteCount)
    message.write(to: &writer, sequence: isResumable ? sequence : nil)
    guard let sequence else {
      return sendAnswer(writer.bytes, to: message, call, status: message.status, timestamp: message.timestamp) {
        message
      }
    }
    // The next run of the server asks its questions and presents sheets again.
    let outlivesServer = message.type == .event && call.owner != .footbridge
    if isFoundAgain {
      keepSent(sequence, action: message.action, outlivesServer: outlivesServer, writer.bytes)
    }
    if outlivesServer { state.changed() }
    // Before the page's hello, it is unknown what the page has. Everything with a sequence number then goes out, in order, with the answer.
    if presence.hasGreeted || !isResumable { send(writer.bytes, .sequence(sequence)) }
    writer.bytes.withUnsafeBufferPointer { text in
      let kind: JournalEntry.Kind = message.type == .event ? .event : .hostRequest
      note(kind, text, of: call.owner, timestamp: message.timestamp, cause: nil) { message }
    }
  }

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
      keepAnswer(text, to: message, call.id)
    }
    send(text, .answer(call.id))
    text.withUnsafeBufferPointer { note(.response, $0, of: call.owner, timestamp: timestamp, cause: cause, answer) }
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

  /// Later changes could not be stored. The page does not hear of them, and the calls that caused them fail.
  func undo(because failure: StoreFailure) {
    for answer in dropLost() {
      guard let bridge = session.bridgeTable[owners.owner(of: answer.action)] else { continue }
      let call = String(answer.action.trimmingPrefix("\(bridge.name)."))
      let error = BridgeErrorPayload(
        code: bridge.unkeptErrorCode(of: answer.action),
        message: failure.message(about: call),
        recoverable: true
      )
      host.respond(to: answer.correlationId, action: answer.action, status: .error, error: error)
    }
  }
}
