import BridgeRuntime

/// Answers every request of one action with the same answer.
@BridgeActor
final class CannedAnswerHandler: ImmediateBridgeCapabilityHandler {
  nonisolated let action: String
  private let answer: GBGDeclarations.Answer
  private let clock: any BridgeClock

  init(_ action: String, _ answer: GBGDeclarations.Answer, _ clock: any BridgeClock) {
    self.action = action
    self.answer = answer
    self.clock = clock
  }

  func handleImmediately(request: BridgeMessage, responder: any BridgeResponder) {
    let answer = answer
    guard answer.delay > .zero else {
      return responder.respond(status: answer.status, data: answer.data, error: answer.error)
    }
    Task { [clock] in
      try await clock.sleep(for: answer.delay)
      responder.respond(status: answer.status, data: answer.data, error: answer.error)
    }
  }
}
