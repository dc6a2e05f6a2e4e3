import BridgeCore

/// The page and the store.
extension Page {
  /// Sends what waits, unless something has changed: a page never hears of something that could still be lost.
  func release() {
    if !isDurable || state.isUnkept { return }
    delivery.forgetAnswers()
    send(outbox.takeAll())
  }

  /// The part of the page to store with the current state.
  func takeChange() -> PageChange? {
    outbox.cover()
    let change = delivery.takeChange()
    return isResumable ? change : nil
  }

  /// What was taken is stored. Sends what waited for it.
  func changeWasKept() {
    delivery.changeWasKept()
    send(outbox.takeCovered())
    release()
  }

  /// Later changes could not be stored. The page does not hear of them, and the calls that caused them fail.
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

  /// The part of the page that is remembered after its end.
  var departed: DepartedPages.Page {
    DepartedPages.Page(
      name: name, document: document, calls: delivery.knownCalls(answerByteLimit: DepartedPages.answerByteLimit),
      goodbyes: goodbyes)
  }

  /// The page has ended before. It continues with what is remembered of it.
  func rememberBeing(_ departed: DepartedPages.Page) {
    delivery.remember(departed.calls)
    goodbyes = departed.goodbyes
    presence.left()
  }

  private func send(_ messages: [PageOutbox.Message]) {
    for message in messages { message.text.withUnsafeBufferPointer { connection?.sendText($0) } }
  }
}
