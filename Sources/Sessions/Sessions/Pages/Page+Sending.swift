import BridgeCore
import WebServer

/// Messages to the page. They are sent at once, or after the change that they tell of is stored, and added to the journal.
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
    // Requests to the page and sheets are not stored: the next run of the server sends them again.
    let outlivesServer = message.type == .event && call.owner != .footbridge
    if isFoundAgain {
      keepSent(sequence, action: message.action, outlivesServer: outlivesServer, writer.bytes)
    }
    if outlivesServer { state.changed() }
    // Before the page's hello, the server does not know what the page has received. The answer to the hello is followed by all numbered
    // messages that the page has missed, in order.
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

  /// Adds a message to the page to the journal, unless it is one of Footbridge's own.
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

  /// Returns the action of a request that was acknowledged and has no result yet; nil if there is no such request.
  package func acknowledgedAction(of correlationID: String) -> String? {
    openCalls.acknowledgedAction(of: CallID(correlationID))
  }

  /// Drops the messages about changes that could not be stored, and makes the calls fail that have caused these changes.
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
