import BridgeCore

/// What the store has of the page, and what waits for it.
extension Page {
  /// Sends what waits, unless something has changed: a page hears of nothing that could still be lost.
  func release() {
    if !isDurable || state.isUnkept { return }
    delivery.forgetAnswers()
    send(outbox.takeAll())
  }

  /// What is to be kept of the page with the state as it is now.
  func takeChange() -> PageChange? {
    outbox.cover()
    let change = delivery.takeChange()
    return isResumable ? change : nil
  }

  /// What was taken is kept: sends what waited for that.
  func changeWasKept() {
    delivery.changeWasKept()
    send(outbox.takeCovered())
    release()
  }

  /// What has happened since could not be kept. The page does not hear of it, and the calls that it comes from fail.
  func undo(because failure: StoreFailure) {
    let lost = delivery.undo(where: session.bridgeTable.tellsOfState)
    outbox.drop(
      Set(lost.events.map { .sequence($0.sequence) } + lost.answers.map { .answer(CallID($0.correlationId)) })
    )
    for answer in lost.answers {
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

  /// What is remembered of the page when it has ended.
  var departed: DepartedPages.Page {
    DepartedPages.Page(
      name: name, document: document, calls: delivery.knownCalls(answerByteLimit: DepartedPages.answerByteLimit),
      goodbyes: goodbyes)
  }

  /// The page has ended before: it goes on with what is remembered of it.
  func rememberBeing(_ departed: DepartedPages.Page) {
    delivery.remember(departed.calls)
    goodbyes = departed.goodbyes
    presence.left()
  }

  private func send(_ texts: [[UInt8]]) {
    for text in texts { text.withUnsafeBufferPointer { connection?.sendText($0) } }
  }
}
