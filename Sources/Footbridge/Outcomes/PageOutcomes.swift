import BridgeCore
import BridgeRuntime

/// Stands between the calls of one page and its host, and does with them what the session's rules decide.
@BridgeActor
final class PageOutcomes: BridgeRequestInterceptor {
  private let outcomes: SessionOutcomes
  private let page: Page

  init(_ page: Page, _ outcomes: SessionOutcomes) {
    self.page = page
    self.outcomes = outcomes
  }

  func intercept(
    _ request: BridgeMessage,
    responder: any BridgeResponder,
    handle: @escaping @BridgeActor (any BridgeResponder) -> Void
  ) {
    let action = request.action
    let subject = SessionOutcomes.Subject(action: action, pageID: page.id, correlationID: request.correlationId)
    guard !FootbridgeAction.isFootbridges(action),
      let decided = outcomes.decide(OutcomeCall(request.payload), about: subject)
    else { return handle(responder) }
    let outcome = decided.outcome
    if outcome.cutsSocket { page.cutSocket() }
    if case .response(let status, let data, let error) = outcome.answer {
      outcomes.afterHold(decided) { responder.respond(status: status, data: data, error: error) }
    } else if !outcome.isHeld || RuleAction(action)?.isHeldBeforehand == true {
      outcomes.afterHold(decided) { handle(responder) }
    } else {
      handle(HeldResponder(responder, decided, outcomes))
    }
  }
}
