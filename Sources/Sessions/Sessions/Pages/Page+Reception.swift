import BridgeCore
import WebServer

/// Messages from the page.
extension Page {
  /// Receives a message from the socket.
  func received(_ message: WebSocketMessage) {
    guard message.kind == .text else {
      connection?.close(.unsupportedData, reason: "Messages are text.")
      return
    }
    received(text: message.bytes)
  }

  /// Handles the messages of a goodbye: a sequence of JSON texts (RFC 7464). Messages that have come before do not take effect again.
  ///
  /// - Parameter waitsForMissing: Whether the requests of the goodbye still wait for missing ones.
  func runGoodbyes(waitsForMissing: Bool) {
    for body in takeGoodbyes(waitsForMissing: waitsForMissing) {
      body.withUnsafeBufferPointer { body in
        for record in body.split(separator: 0x1E) {
          // Remove the line break. The text is then the same as on the socket, which identifies a repeated call with an id of the page.
          let text = record.last == 0x0A ? record.dropLast() : record
          if text.count > session.limits.web.webSocketMessageBytes { continue }
          handle { received(text: UnsafeBufferPointer(rebasing: text)) }
        }
      }
    }
  }

  /// Handles an urgent call, after the earlier calls in the same request: a sequence of JSON texts (RFC 7464).
  func received(urgent body: [UInt8]) {
    body.withUnsafeBufferPointer { body in
      for record in body.split(separator: 0x1E) where record.count <= session.limits.web.webSocketMessageBytes {
        handle { received(text: UnsafeBufferPointer(rebasing: record)) }
      }
    }
  }

  private func received(text: UnsafeBufferPointer<UInt8>) {
    do throws(JSONError) {
      let envelope = try BridgeMessage(parsing: text, valueLimit: messageBounds.valueLimit)
      if messageBounds.isHeadTooLong(envelope, byteCount: text.count) {
        throw JSONError("the strings of its head are too long", offset: 0)
      }
      received(envelope, text: text)
    } catch {
      host.lastError = "A message from the page is not an envelope: \(error)."
      journal.append(.decision, page: id, action: "refused", note: "A message is not an envelope: \(error).")
      session.noteUnanswered("A message is not an envelope: \(error).")
      host.send(event: "footbridge.error", data: ["message": .string("This message is not an envelope: \(error).")])
    }
  }

  private func received(_ message: BridgeMessage, text: UnsafeBufferPointer<UInt8>) {
    metrics.receivedMessages &+= 1
    noteActivity()
    let call = PageCall(message, owners)
    let (id, owner) = (call.id, call.owner)
    let isRequest = message.type == .request
    let isHello = owner == .footbridge && message.action == FootbridgeAction.hello
    // A hello belongs to one connection, so it is never a repeated call.
    if isResumable, isRequest, !isHello {
      switch requestAction(for: message, call, text: text) {
      case .handle: break
      case .wait:
        if openCalls.contains(id) { return }
        return refuseRepetition(of: message, call, "The page left before the answer came.")
      case .answer(let text): return send(text, .answer(id))
      case .refuse:
        return refuseRepetition(of: message, call, "Its answer is no longer there: the page has lost too many.")
      }
    }
    if let problem = messageBounds.problem(of: message, owner, byteCount: text.count) {
      return refuse(message, of: owner, problem)
    }
    if isRequest, !openCalls.hasRoom(forByteCount: text.count) { return refuse(message, of: owner) }
    let kind: JournalEntry.Kind =
      switch message.type {
      case .request: .request
      case .response: .pageResponse
      case .event: .pageEvent
      }
    let now = clock.now
    let cursor =
      owner == .footbridge
      ? nil
      : journal.append(
        kind, page: name, of: owner, text: text, time: now.millisecondsSinceEpoch, message: message)
    beginHandling(message, call, requestByteCount: isRequest ? text.count : nil, cursor: cursor)
    if !owner.isMadeByShim, let receiverOfPosts {
      receiverOfPosts.posted(message, call: cursor, repeatsID: isRequest && delivery.hasReused(id))
    }
    if isHello {
      greeted(message)
    } else if owner == .footbridge, isRequest, takeRemark(message) {
      // The shim's message was handled and answered.
    } else if handsOverRawMessages, !owner.isMadeByShim {
      host.userContentController(configuration.userContentController, didReceive: ScriptMessage(message))
    } else {
      host.receive(message, at: now)
    }
    endHandling()
  }

  /// Returns the call that a message belongs to. Most answers come while their request is handled, and need no search.
  func call(of message: BridgeMessage) -> PageCall {
    handled.call(of: message.identity) ?? PageCall(message, owners)
  }

  /// Refuses a call, since too many wait for an answer.
  private func refuse(_ message: BridgeMessage, of owner: ActionOwner) {
    session.onBound?("A page has reached its limit of calls without an answer. Further calls are refused.")
    let error = BridgeErrorPayload(
      code: owner.isMadeByShim ? "bridge.brokenRequest" : "BUSY",
      message: "Too many calls of this page wait for an answer. Wait for one of them.",
      recoverable: true
    )
    host.respond(to: message.correlationId, action: message.action, status: .error, error: error)
  }

  /// Refuses a repeated call whose answer is deleted. The refusal itself is not kept, since it would replace another answer.
  private func refuseRepetition(of request: BridgeMessage, _ call: PageCall, _ whereAnswerIs: String) {
    // A page without a connection has left and does not read the refusal.
    if connection == nil { return }
    let reason = "This call has run before and does not run again. \(whereAnswerIs)"
    let error = BridgeErrorPayload(
      code: call.owner.isMadeByShim ? "bridge.brokenRequest" : "ANSWER_FORGOTTEN", message: reason, recoverable: false)
    let now = clock.now.millisecondsSinceEpoch
    var writer = JSONWriter()
    request.write(answer: BridgeAnswer(status: .error, error: error), timestamp: now, to: &writer)
    send(writer.bytes, .answer(call.id))
    journal.append(
      .decision, page: self.id, action: "refused", correlationId: request.correlationId,
      note: "\(request.action): \(reason)")
  }

  /// Refuses a message that is too large. A request gets an error, an answer to the host counts as failed, an event is dropped.
  private func refuse(_ message: BridgeMessage, of owner: ActionOwner, _ problem: String) {
    session.onBound?("A page has sent messages that are too large. They were refused.")
    session.pageLog.note("\(message.action) was refused: \(problem)")
    journal.append(.decision, page: id, action: "refused", note: "\(message.action): \(problem)")
    let error = BridgeErrorPayload(
      code: owner.isMadeByShim ? "bridge.parametersNotRepresentable" : "MESSAGE_TOO_LARGE", message: problem,
      recoverable: false)
    switch message.type {
    case .request: host.respond(to: message.correlationId, action: message.action, status: .error, error: error)
    case .response:
      host.receive(
        BridgeMessage(
          version: message.version, correlationId: message.correlationId, type: .response, timestamp: message.timestamp,
          payload: BridgePayload(action: message.action, data: nil, status: .error, error: error)))
    case .event: break
    }
  }

  private func greeted(_ hello: BridgeMessage) {
    let data = hello.payload.data ?? [:]
    let received = presence.isKnown ? data["received"]?.numberValue.flatMap { Int(exactly: $0) } ?? 0 : 0
    let missed = resume(after: received)
    host.respond(
      to: hello.correlationId,
      action: hello.action,
      status: .success,
      data: session.answerToHello(data, of: self, resumed: presence.isKnown)
    )
    if noteHello(isEmbedded: session.isForeign(ancestors: data["ancestors"])) { host.finishLoading(siteURL) }
    for (sequence, text) in missed { send(text, .sequence(sequence)) }
    session.greeted(self)
  }
}

/// The message of a page that is being handled. Most answers come during this time, and need no search for their call.
struct HandledMessage {
  private var message: ObjectIdentifier?
  private var call: PageCall?
  /// The cursor of the message's journal entry; nil for one of Footbridge's own messages. It stays after the message was handled: if a
  /// program receives messages itself, this message is still the cause of its actions.
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

  /// Returns the call of a message; nil if the message is not being handled.
  func call(of message: ObjectIdentifier) -> PageCall? {
    self.message == message ? call : nil
  }
}
