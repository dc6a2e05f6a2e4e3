import BridgeCore
import BridgeRuntime
import Delivery
import WebServer

/// Messages from the page.
extension Page {
  /// Receives a message from the socket.
  func received(_ message: WebSocketMessage) {
    handle(isFromSocket: true) {
      guard message.kind == .text else {
        connection?.close(.unsupportedData, reason: "Messages are text.")
        return
      }
      received(message.bytes)
    }
  }

  /// Handles the messages of a goodbye. Messages that have come before do not take effect again.
  ///
  /// - Parameter waitsForMissing: Whether the requests of the goodbye still wait for missing ones.
  func runGoodbyes(waitsForMissing: Bool) { handle(link.takeGoodbyes(waitsForMissing: waitsForMissing)) }

  /// Handles an urgent call, after the earlier calls in the same request.
  func received(urgent body: [UInt8]) { handle(link.messages(in: body)) }

  private func handle(_ messages: [ArraySlice<UInt8>]) {
    for message in messages { handle { message.withUnsafeBufferPointer { received($0) } } }
  }

  private func received(_ text: UnsafeBufferPointer<UInt8>) {
    let reception = link.received(text)
    if case .unreadable(let error) = reception { return refuse(error) }
    session.metrics.receivedMessages &+= 1
    noteActivity()
    switch reception {
    case .handle(let message, let call): handle(message, call, text)
    case .answer(let sent): carryOut(sent)
    case .refuse(let message, let call, let refusal): refuse(message, call, refusal)
    case .wait, .ignore, .unreadable: break
    }
  }

  private func handle(_ message: BridgeMessage, _ call: PageCall, _ text: UnsafeBufferPointer<UInt8>) {
    let session = session
    let owner = call.owner
    let now = session.clock.now
    let cursor =
      owner == .footbridge
      ? nil
      : session.journal.append(
        .init(message.type), page: name, of: owner, text: text, time: now.millisecondsSinceEpoch, message: message)
    let start = message.type == .request ? session.metrics.callBegins() : 0
    link.begin(message, call, byteCount: text.count, cursor: cursor, start: start)
    if !owner.isMadeByShim, let receiver = parts.receiverOfPosts {
      let repeatsID = message.type == .request && link.hasReusedID(message, call)
      receiver.received(.posted(message, call: cursor, repeatsID: repeatsID))
    }
    if owner != .footbridge || !handleOwn(message) {
      host.receive(message, at: now, cause: cursor, isPosted: !owner.isMadeByShim)
    }
    link.endHandling(at: MonotonicTime.nanoseconds)
  }

  // MARK: Refusals

  /// Refuses a text that is not an envelope.
  private func refuse(_ error: JSONError) {
    host.lastError = "A message from the page is not an envelope: \(error)."
    session.journal.append(.decision, page: id, action: "refused", note: "A message is not an envelope: \(error).")
    session.noteUnanswered("A message is not an envelope: \(error).")
    tellDeveloper("This message is not an envelope: \(error).")
  }

  private func refuse(_ message: BridgeMessage, _ call: PageCall, _ refusal: Refusal) {
    switch refusal {
    case .pageLeft, .answerDeleted: refuseRepetition(message, call, refusal)
    case .tooManyCalls:
      session.limitLog.note("A page has reached its limit of calls without an answer. Further calls are refused.")
      answer(refused: message, refusal.error(for: call.owner))
    case .callsTooLarge:
      session.limitLog.note(
        "Calls without an answer have as many bytes as those of a session, or of all sessions, may have. Further calls are refused."
      )
      answer(refused: message, refusal.error(for: call.owner))
    case .tooLarge(let problem):
      session.limitLog.note("A page has sent messages that are too large. They were refused.")
      session.pageLog.note("\(message.action) was refused: \(problem)")
      session.journal.append(.decision, page: id, action: "refused", note: "\(message.action): \(problem)")
      answer(refused: message, refusal.error(for: call.owner))
    }
  }

  /// Refuses a repeated call whose answer is deleted.
  private func refuseRepetition(_ request: BridgeMessage, _ call: PageCall, _ refusal: Refusal) {
    let now = session.clock.now.millisecondsSinceEpoch
    guard let sent = link.refuse(request, call, refusal, timestamp: now) else { return }
    carryOut(sent)
    session.journal.append(
      .decision, page: id, action: "refused", correlationId: request.correlationId,
      note: "\(request.action): \(refusal.message)")
  }

  /// A refused request gets an error, an answer to the host counts as failed, an event is dropped.
  private func answer(refused message: BridgeMessage, _ error: BridgeErrorPayload) {
    switch message.type {
    case .request: host.answer(message, BridgeAnswer(status: .error, error: error))
    case .response:
      host.receive(
        BridgeMessage(
          version: message.version, correlationId: message.correlationId, type: .response, timestamp: message.timestamp,
          payload: BridgePayload(action: message.action, data: nil, status: .error, error: error)))
    case .event: break
    }
  }

  /// Says that messages have not reached the page. The requests among them get an error.
  private func note(_ lost: LostMessages) {
    session.pageLog.note(lost.message)
    session.journal.append(.decision, page: id, action: "lost", note: lost.message)
    tellDeveloper(lost.message)
    let error = BridgeErrorPayload(code: "bridge.brokenRequest", message: lost.message, recoverable: true)
    for request in lost.requests {
      host.receive(
        BridgeMessage(
          version: "1.0", correlationId: request, type: .response, timestamp: session.clock.now.millisecondsSinceEpoch,
          payload: BridgePayload(action: FootbridgeAction.lostMessage, data: nil, status: .error, error: error)))
    }
  }

  // MARK: The shim's messages

  /// Handles a hello or a report of the shim. Returns false for any other message.
  private func handleOwn(_ message: BridgeMessage) -> Bool {
    if message.action == FootbridgeAction.hello {
      greeted(message)
      return true
    }
    return message.type == .request && takeRemark(message)
  }

  private func greeted(_ hello: BridgeMessage) {
    let data = hello.payload.data ?? [:]
    let answer = session.answerToHello(data, of: self, resumed: link.isKnown)
    shownDocument.isEmbedded = session.isForeign(ancestors: data["ancestors"])
    take(title: data["title"])
    host.answer(hello, BridgeAnswer(status: .success, data: answer))
    let received = data["received"]?.numberValue.flatMap { Int(exactly: $0) } ?? 0
    let lost = link.takeLost(after: received)
    let (isFirst, missed) = link.resume(after: received)
    for sent in missed { carryOut(sent) }
    if let lost { note(lost) }
    // What the app sends now follows what the page has missed.
    if isFirst { host.finishLoading(siteURL) }
    session.greeted(self)
  }
}

extension JournalEntry.Kind {
  /// The kind of a message of a page.
  fileprivate init(_ type: BridgeMessageType) {
    self =
      switch type {
      case .request: .request
      case .response: .pageResponse
      case .event: .pageEvent
      }
  }
}
