import BridgeCore
import BridgeRuntime

/// Callbacks from the host to the page. Rules can decide them before the page gets them.
extension Page {
  /// Whether a message to the page is a callback that a rule may decide.
  func mayBeDecided(_ message: BridgeMessage) -> Bool {
    session.rules.concernsCallbacks
      && session.bridgeTable.ruleAction(message.action)?.action.isCallback == true
  }

  /// Sends a callback in the way that the session's rules decide.
  func decide(callback: BridgeMessage) {
    let rules = session.rules
    let subject = SessionRules.Subject(
      action: callback.action, pageID: id, correlationID: callback.correlationId, shimID: shimID, isCallback: true)
    guard let decided = rules.decide(RuledCall(callback.payload), about: subject) else { return pass(callback) }
    let outcome = decided.outcome
    if outcome.cutsSocket { cutSocket() }
    rules.afterHold(decided) { [self] in
      if outcome.killsApp { return rules.killApp() }
      if case .response(_, let data, _) = outcome.answer { return host.settle(callback, data: data) }
      switch outcome.delivery {
      case .dropped: break
      case .doubled:
        sendNow(callback)
        pass(callback)
      case .reordered:
        let waits = rules.putBehindNext(.init(pageID: id, action: callback.action)) { [self] in sendNow(callback) }
        if !waits { pass(callback) }
      case nil, .unknownID, .raw: pass(callback)
      }
    }
  }

  /// Sends a callback, and the one that a rule has put behind it.
  private func pass(_ callback: BridgeMessage) {
    sendNow(callback)
    session.rules.arrived(.init(pageID: id, action: callback.action))
  }

  /// Sends a callback with the present time as its timestamp, since it may have waited.
  private func sendNow(_ callback: BridgeMessage) {
    send(callback.stamped(session.clock.now.millisecondsSinceEpoch))
  }
}
