import BridgeCore
import BridgeRuntime

/// Asks the person who is signed in for consent to price increases, with a sheet for each. A sheet closes when the increase is no longer
/// pending, for example because a test has answered. If what a sheet says is no longer true, another one takes its place.
@BridgeActor
final class PriceConsent {
  /// The open sheets, by the chains of orders that they are about.
  private var asked: [String: (sheet: OnsideSheet, task: Task<Void, Never>)] = [:]

  /// Call this when the state has changed. Opens sheets for increases that are now pending, and closes those of all others.
  func update(_ launch: OnsideLaunch) {
    let pending = launch.pendingPriceIncreases
    if pending.isEmpty, asked.isEmpty { return }
    for (id, open) in asked where !pending.contains(where: { $0.id == id && $0.sheet == open.sheet }) {
      asked.removeValue(forKey: id)?.task.cancel()
    }
    for (id, sheet) in pending where asked[id] == nil {
      // The store asks. No call of a page waits for it. The task stays on the actor's thread, so that an answer counts for the next request
      // of a test.
      let task = OnsideLaunch.$asker.withValue(nil) {
        BridgeActor.begin { [weak launch] in await Self.ask(sheet, about: id, launch) }
      }
      asked[id] = (sheet, task)
    }
  }

  /// The launch ends. The next one asks again.
  func end() {
    for open in asked.values { open.task.cancel() }
    asked = [:]
  }

  private static func ask(_ sheet: OnsideSheet, about orderID: String, _ launch: OnsideLaunch?) async {
    guard let launch, !Task.isCancelled else { return }
    let answer = await launch.present(sheet)
    if Task.isCancelled { return }
    launch.changeLedger { _ = $0.answerPriceIncrease(orderID, consents: answer.approved) }
  }
}

extension OnsideLaunch {
  /// The pending price increases of the account that is signed in: the first order of each subscription, and the sheet that asks.
  fileprivate var pendingPriceIncreases: [(id: String, sheet: OnsideSheet)] {
    guard let account = state.account else { return [] }
    return state.ledger.subscriptions.compactMap { subscription in
      guard subscription.accountID == account.id, subscription.priceIncrease?.status == .pending,
        let order = state.ledger[subscription.orderID],
        let sheet = OnsideSheet.priceIncrease(self, of: subscription, order)
      else { return nil }
      return (order.originalID, sheet)
    }
  }
}
