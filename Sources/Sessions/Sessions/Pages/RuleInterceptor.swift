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
    let responder = outcome.delivery.map { altered(responder, $0, request) } ?? responder
    if case .response(let status, let data, let error) = outcome.answer {
      rules.afterHold(decided) { responder.respond(status: status, data: data, error: error) }
    } else if !outcome.isHeld || bridges.ruleAction(action)?.action.isHeldBeforehand == true {
      rules.afterHold(decided) { handle(responder) }
    } else {
      // The first answer counts, even if a later one has a shorter wait.
      handle(
        FirstAnswerResponder { [rules] answer in rules.afterHold(decided) { [answer] in responder.respond(answer) } })
    }
  }

  /// Returns a responder that delivers its answer as a rule says: not at all, twice, under another id, or replaced by another value.
  private func altered(
    _ responder: any BridgeResponder, _ delivery: Outcome.Delivery, _ request: BridgeMessage
  ) -> any BridgeResponder {
    FirstAnswerResponder { [page] answer in
      switch delivery {
      case .dropped, .reordered: break
      case .doubled:
        responder.respond(copy answer)
        page.host.answer(request, answer)
      case .unknownID:
        page.host.respond(
          to: "unknown-\(page.session.random.uuid())", action: request.action, status: answer.status,
          data: answer.members, error: answer.error)
      case .raw(let value): page.host.send(event: FootbridgeAction.raw, data: ["value": value])
      }
    }
  }
}
