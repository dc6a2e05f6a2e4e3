import BridgeCore
import BridgeRuntime

/// Asks the person who is signed in for consent to price increases, with a sheet for each. A sheet closes when the increase is no longer
/// pending, for example because a test has answered.
@BridgeActor
final class PriceConsent {
  private var asked: [String: Task<Void, Never>] = [:]

  /// Call this when the state has changed. Opens sheets for increases that are now pending, and closes those of all others.
  func update(_ launch: OnsideLaunch) {
    let pending = launch.pendingPriceIncreases
    if pending.isEmpty, asked.isEmpty { return }
    for id in asked.keys where !pending.contains(where: { $0.orderID == id }) {
      asked.removeValue(forKey: id)?.cancel()
    }
    for subscription in pending where asked[subscription.orderID] == nil {
      // The store asks. No call of a page waits for it. The task stays on the actor's thread, so that an answer counts for the next request
      // of a test.
      asked[subscription.orderID] = OnsideLaunch.$asker.withValue(nil) {
        BridgeActor.begin { [weak launch] in await Self.ask(subscription, launch) }
      }
    }
  }

  /// The launch ends. The next one asks again.
  func end() {
    for task in asked.values { task.cancel() }
    asked = [:]
  }

  private static func ask(_ subscription: OnsideSubscription, _ launch: OnsideLaunch?) async {
    guard let launch, let sheet = OnsideSheet.priceIncrease(launch, of: subscription) else { return }
    let answer = await launch.present(sheet)
    if Task.isCancelled { return }
    _ = launch.state.ledger.answerPriceIncrease(subscription.orderID, consents: answer.approved)
  }
}

extension OnsideLaunch {
  /// The subscriptions with a pending price increase of the account that is signed in.
  fileprivate var pendingPriceIncreases: [OnsideSubscription] {
    guard let account = state.account else { return [] }
    return state.ledger.subscriptions.filter {
      $0.accountID == account.id && $0.priceIncrease?.status == .pending
    }
  }
}
