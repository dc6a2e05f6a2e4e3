import BridgeCore
import WebServer

/// What comes from the page.
extension Page {
  /// A message has come.
  func received(_ message: WebSocketMessage) {
    guard message.kind == .text else {
      connection?.close(.unsupportedData, reason: "Messages are text.")
      return
    }
    received(text: message.bytes)
  }

  /// Texts of JSON have come, one after the other (RFC 7464), from a page that has left. What of it came before has had its effect.
  func received(goodbyes: [[UInt8]]) {
    delivery.connected()
    for body in goodbyes {
      body.withUnsafeBufferPointer { body in
        for record in body.split(separator: 0x1E) {
          // Without the end of the line the text is what the socket would have carried, by which the page's own calls are known.
          let text = record.last == 0x0A ? record.dropLast() : record
          if text.count > session.limits.web.webSocketMessageBytes { continue }
          handle { received(text: UnsafeBufferPointer(rebasing: text)) }
        }
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
      host.lastError = "A message from the page is no envelope: \(error)."
      journal.append(.decision, page: id, action: "refused", note: "A message is no envelope: \(error).")
      session.noteUnanswered("A message is no envelope: \(error).")
      host.send(event: "footbridge.error", data: ["message": .string("This message is no envelope: \(error).")])
    }
  }

  private func received(_ message: BridgeMessage, text: UnsafeBufferPointer<UInt8>) {
    metrics.receivedMessages &+= 1
    noteActivity()
    let call = PageCall(message, owners)
    let (id, owner) = (call.id, call.owner)
    let isRequest = message.type == .request
    let isHello = owner == .footbridge && message.action == FootbridgeAction.hello
    // A hello is of its connection: it never comes again.
    if isResumable, isRequest, !isHello {
      let action =
        owner.isMadeByShim ? message.withCorrelationId { delivery.request(id, $0) } : delivery.pageRequest(id, text)
      switch action {
      case .handle: break
      case .wait:
        if openCalls.contains(id) { return }
        return refuseRepetition(of: message, call, "The page had left before the answer came.")
      case .answer(let text): return send(text, .answer(id))
      case .refuse:
        return refuseRepetition(of: message, call, "Its answer is forgotten: the page has lost too many.")
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
    if isRequest { openCalls.begin(id, byteCount: text.count, cursor: cursor) }
    handled.begin(message.identity, call, cursor: cursor)
    if isHello {
      greeted(message)
    } else if handsOverRawMessages, !owner.isMadeByShim {
      host.userContentController(configuration.userContentController, didReceive: ScriptMessage(message))
    } else {
      host.receive(message, at: now)
    }
    handled.end()
    openCalls.finishHandling()
  }

  /// Which call a message belongs to: nearly all answers are given while their request is handled.
  func call(of message: BridgeMessage) -> PageCall {
    handled.call(of: message.identity) ?? PageCall(message, owners)
  }

  /// Answers a call that is one too many.
  private func refuse(_ message: BridgeMessage, of owner: ActionOwner) {
    session.onBound?("A page has more calls without an answer than it may have; further ones are refused.")
    let error = BridgeErrorPayload(
      code: owner.isMadeByShim ? "bridge.brokenRequest" : "BUSY",
      message: "Too many calls of this page wait for an answer.",
      recoverable: true
    )
    host.respond(to: message.correlationId, action: message.action, status: .error, error: error)
  }

  /// Answers a call that was run before and whose answer is not there. This answer is not kept: it would take the place of another one.
  private func refuseRepetition(of request: BridgeMessage, _ call: PageCall, _ whereAnswerIs: String) {
    // A page that has left does not read it.
    if connection == nil { return }
    let reason = "This call was run before, and is not run again. \(whereAnswerIs)"
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

  /// Refuses a message that holds too much: a request is answered, an answer to the host is taken for a failed one, an event is dropped.
  private func refuse(_ message: BridgeMessage, of owner: ActionOwner, _ problem: String) {
    session.onBound?("A page has sent messages that hold more than they may; they were refused.")
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
    let missed = delivery.resume(after: received)
    host.respond(
      to: hello.correlationId,
      action: hello.action,
      status: .success,
      data: session.answerToHello(data, of: self, resumed: presence.isKnown)
    )
    if presence.greeted(isEmbedded: session.isForeign(ancestors: data["ancestors"])) { host.finishLoading(siteURL) }
    for (sequence, text) in missed { send(text, .sequence(sequence)) }
    session.greeted(self)
  }
}
