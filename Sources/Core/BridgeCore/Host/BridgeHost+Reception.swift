package import BridgeRuntime

extension BridgeHost {
  /// Receives a message of the page as JSON text. Text that is not an envelope only sets ``lastError``.
  ///
  /// - Returns: The message; nil if the text is not an envelope.
  @discardableResult
  public func receive(_ text: some Sequence<UInt8>) -> BridgeMessage? {
    do throws(JSONError) {
      let message = try BridgeMessage(parsing: text)
      receive(message)
      return message
    } catch {
      lastError = "A message from the page is not an envelope: \(error)."
      return nil
    }
  }

  /// Receives a message of the page: keeps it, reports it to the ``delegate``, and routes it.
  public func receive(_ message: BridgeMessage) {
    receive(message, at: clock.now, cause: nil, isPosted: false)
  }

  /// Receives a message that the served page sent and that arrived at `now`.
  ///
  /// - Parameters:
  ///   - cause: Identifies the message as the ``MessageCause`` of what its handler does; nil for none.
  ///   - isPosted: Whether the page has posted the message to `gbgBridge` itself, so that code of the app handles it.
  package func receive(_ message: BridgeMessage, at now: BridgeInstant, cause: Int?, isPosted: Bool) {
    if isPosted, type(of: self) != BridgeHost.self, let webView {
      let controller = webView.configuration.userContentController
      return MessageCause.$current.withValue(cause) {
        runCodeOfApp { userContentController(controller, didReceive: ScriptMessage(message)) }
      }
    }
    store(message)
    // A handler that only answers needs no responder and no web view. (Without this, 26 % more instructions for a `query`.)
    if message.type == .request, case .answering(let handler) = handlers[message], slot(for: message) == nil,
      delegate == nil, interceptor == nil
    {
      answer(message, handler.answer(to: message, of: self), at: now)
      return
    }
    guard let cause else { return handle(message) }
    MessageCause.$current.withValue(cause) {
      if isPosted { runCodeOfApp { handle(message) } } else { handle(message) }
    }
  }

  /// Runs code that the app may have written: in its surroundings, and with the browser's camera as the camera that it finds.
  private func runCodeOfApp(_ body: () -> Void) {
    func runWithCamera() {
      if let camera { CameraDetector.$camera.withValue(camera, operation: body) } else { body() }
    }
    if let surroundings { surroundings(runWithCamera) } else { runWithCamera() }
  }

  private func handle(_ message: BridgeMessage) {
    delegate?.bridgeHost(self, didReceive: message)
    switch message.type {
    case .request: take(message)
    case .response: openRequests.removeValue(forKey: message.correlationId)?(message)
    case .event: break
    }
  }

  private func store(_ message: BridgeMessage) {
    guard isReceivedMessagesRead else { return append(message) }
    withMutation(keyPath: \.receivedMessages) { append(message) }
  }

  /// Keeps a message, and drops the oldest ones above the limit.
  private func append(_ message: BridgeMessage) {
    if receivedMessagesLimit <= 0, storedMessages.isEmpty { return }
    storedMessages.append(message)
    receivedMessagesByteCount += message.byteCount
    while storedMessages.count > max(receivedMessagesLimit, 0) { dropOldest() }
    while receivedMessagesByteCount > receivedMessagesByteLimit, storedMessages.count > 1 { dropOldest() }
    while receivedMessagesRoom < 0, !storedMessages.isEmpty { dropOldest() }
  }

  private func dropOldest() {
    receivedMessagesByteCount -= storedMessages.removeFirst().byteCount
  }

  private func take(_ request: BridgeMessage) {
    let responder = FirstAnswerResponder { [self] in answer(request, $0) }
    guard let interceptor else { return route(request, responder: responder) }
    interceptor.intercept(request, responder: responder) { [weak self] in self?.route(request, responder: $0) }
  }

  private func route(_ request: BridgeMessage, responder: any BridgeResponder) {
    if let slot = slot(for: request) { return slot.handle(request, responder: responder) }
    let handler = handlers[request]
    if handler == nil, isHandledByFamily(request, responder) { return }
    switch handler ?? customCapabilities[request.action]?.handler {
    case .answering(let handler): responder.respond(handler.answer(to: request, of: self))
    case .immediate(let handler): handler.handleImmediately(request: request, responder: responder)
    case .suspending(let handler): Task { await handler.handle(request: request, responder: responder) }
    case nil: wait(request)
    }
  }

  private func isHandledByFamily(_ request: BridgeMessage, _ responder: any BridgeResponder) -> Bool {
    if !familyExceptions.isEmpty, familyExceptions.contains(request.action) { return false }
    for family in families where family.handleImmediately(request: request, responder: responder) { return true }
    if servedFamilies.isEmpty || request.pageCall != nil { return false }
    for family in servedFamilies where family.handleImmediately(request: request, responder: responder) { return true }
    return false
  }

  /// Returns the slot that handles a request. A slot without a handler handles none: its requests are routed like all others, and wait in
  /// ``pendingRequests`` if nothing else handles them. The reference does not define this case.
  private func slot(for request: BridgeMessage) -> CaptureCapability? {
    guard request.withAction(CaptureSlots.have) else { return nil }
    let action = request.action
    return slots.first { $0.actionId == action && $0.handler != nil }
  }

  private func wait(_ request: BridgeMessage) {
    pendingRequests.append(request)
    if pendingRequests.count > max(pendingRequestsLimit, 1) {
      let dropped = pendingRequests.removeFirst()
      respond(
        to: dropped.correlationId,
        action: dropped.action,
        status: .error,
        error: BridgeErrorPayload(code: "BUSY", message: "Too many requests wait for an answer.", recoverable: true)
      )
      lastError =
        "More than \(pendingRequestsLimit) requests wait for an answer; the oldest, "
        + "\(dropped.action), was dropped."
    }
    servedWebView?.unhandled(request)
    delegate?.bridgeHost(self, unhandledRequest: request)
  }
}

/// The message of a page that has caused what happens now.
package enum MessageCause {
  /// Its number among what has happened, such as its cursor in a journal; nil if no message is the cause. Tasks that start now have the same
  /// cause.
  @TaskLocal package static var current: Int?
}
