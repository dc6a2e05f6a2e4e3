import BridgeCore
import BridgeRuntime

/// Callbacks, which the host calls: rules decide what becomes of them before the page gets them.
extension Page {
  /// Whether a message to the page is a callback that rules may concern.
  func mayBeDecided(_ message: BridgeMessage) -> Bool {
    session.rules.concernsCallbacks
      && session.bridgeTable.ruleAction(message.action)?.action.isCallback == true
  }

  /// Sends a callback as the session's rules say.
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
        rules.putBehindNext(.init(pageID: id, action: callback.action)) { [self] in sendNow(callback) }
      case nil, .unknownID, .raw: pass(callback)
      }
    }
  }

  /// Sends a callback, and those that were to follow it.
  private func pass(_ callback: BridgeMessage) {
    sendNow(callback)
    session.rules.went(.init(pageID: id, action: callback.action))
  }

  /// Sends a callback that may have waited: its time is that of its sending.
  private func sendNow(_ callback: BridgeMessage) {
    send(sequenced: callback.stamped(clock.now.millisecondsSinceEpoch))
  }
}
