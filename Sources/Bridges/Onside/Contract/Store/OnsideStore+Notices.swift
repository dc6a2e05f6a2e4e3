import BridgeCore
import BridgeRuntime
import Essentials
package import InAppPurchases

/// What listeners of the store hear without a call of theirs.
extension OnsideStore {
  package func listen(_ hear: @escaping @BridgeActor (InAppNotice) -> Void) -> InAppListening {
    listenerCount += 1
    let number = listenerCount
    listeners[number] = hear
    _ = try? working()
    return InAppListening { [weak self] in self?.listeners[number] = nil }
  }

  /// The state has changed. Listeners hear of it in a later turn, when it is stored.
  package func changed(from former: OnsideState, to present: OnsideState) {
    if former.transactions != present.transactions { noteWaiting(present) }
    if listeners.isEmpty { return }
    if former.account?.id != present.account?.id { tell(InAppNotice(.accountChanged)) }
    guard former.ledger != present.ledger, let onside, let account = present.account else { return }
    let belongs = onside.launch.belonging(to: account.id)
    for change in present.ledger.changes(since: former.ledger, grace: { onside.gracePeriod(of: $0) }) {
      guard belongs(change.order), !isAnswer(change, in: present) else { continue }
      let isOwn = change.order.accountID == account.id
      notices.append { onside in
        InAppNotice(
          InAppNotice.Kind(change, isOwn: isOwn), detail: change.subtype,
          transaction: InAppTransaction(onside.ledger[change.order.id] ?? change.order, in: onside))
      }
    }
    tellLater()
  }

  /// Purchases that now wait for somebody else are pending.
  private func noteWaiting(_ present: OnsideState) {
    for entry in present.transactions where entry.wait != nil && purchases[entry.transaction.id] != nil {
      pending.insert(entry.transaction.id)
      decide(entry.transaction.id, .success(.pending))
    }
  }

  /// Whether a new order is the answer to a purchase for which a bridge waits.
  private func isAnswer(_ change: OnsideLedgerChange, in present: OnsideState) -> Bool {
    guard change.order.reason == .purchase else { return false }
    return present.transactions.contains {
      $0.transaction.transactionIdentifier == change.order.id && purchases[$0.transaction.id] != nil
    }
  }

  func tell(_ notice: InAppNotice) {
    notices.append { _ in notice }
    tellLater()
  }

  private func tellLater() {
    guard !isTelling, !notices.isEmpty else { return }
    isTelling = true
    // No call of a page is the cause of what listeners do.
    MessageCause.$current.withValue(nil) {
      BridgeActor.begin { [weak self] in await self?.tellAll() }
    }
  }

  private func tellAll() async {
    let isStored = await stored()
    let told = notices
    notices = []
    isTelling = false
    guard isStored, let onside else { return }
    for notice in told.map({ $0(onside) }) {
      for (_, hear) in listeners.sorted(by: { $0.key < $1.key }) { hear(notice) }
    }
  }
}
