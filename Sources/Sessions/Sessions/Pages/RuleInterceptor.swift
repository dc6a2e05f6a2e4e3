import BridgeCore
import BridgeRuntime

/// Applies the session's rules to the calls of one page, before its host gets them.
@BridgeActor
final class RuleInterceptor: BridgeRequestInterceptor {
  private let rules: SessionRules
  private let page: Page
  private let bridges: BridgeTable

  init(_ page: Page, _ rules: SessionRules) {
    self.page = page
    self.rules = rules
    bridges = page.session.bridgeTable
  }

  func intercept(
    _ request: BridgeMessage,
    responder: any BridgeResponder,
    handle: @escaping @BridgeActor (any BridgeResponder) -> Void
  ) {
    let action = request.action
    let subject = SessionRules.Subject(
      action: action, pageID: page.id, correlationID: request.correlationId, shimID: page.shimID)
    guard let call = bridges.ruledCall(request), let decided = rules.decide(call, about: subject) else {
      return handle(responder)
    }
    let outcome = decided.outcome
    if outcome.cutsSocket { page.cutSocket() }
    if outcome.killsApp { return rules.afterHold(decided) { [rules] in rules.killApp() } }
    let responder = outcome.delivery.map { AlteredResponder(responder, $0, request, page) } ?? responder
    if case .response(let status, let data, let error) = outcome.answer {
      rules.afterHold(decided) { responder.respond(status: status, data: data, error: error) }
    } else if !outcome.isHeld || bridges.ruleAction(action)?.action.isHeldBeforehand == true {
      rules.afterHold(decided) { handle(responder) }
    } else {
      handle(HeldResponder(responder, decided, rules))
    }
  }
}
