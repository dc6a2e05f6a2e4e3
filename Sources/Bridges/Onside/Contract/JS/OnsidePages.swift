import BridgeCore
import BridgeRuntime

/// The pages of a launch: the observer and delegate that OnsideJS registers (bridge reference, "Initialize OnsideKit first").
///
/// It stays registered after the last page has gone. On iOS, too, the bridge of a web view outlives a reload, and the queue does not pause.
@BridgeActor
final class OnsidePages: OnsidePaymentTransactionObserver, OnsidePaymentQueueDelegate {
  private var attached: [OnsideJS] = []
  /// Pages that may come back. Callbacks are queued for them.
  private var expected: [OnsideJS] = []
  /// The pages that receive callbacks, now or when they come back.
  private var receivers: [OnsideJS] { attached + expected }

  /// Queues callbacks for a page that may come back.
  func expect(_ page: OnsideJS) {
    detach(page)
    expected.append(page)
  }

  /// Adds a page. The first one resumes the queue.
  func attach(_ page: OnsideJS, to queue: OnsidePaymentQueue) {
    expected.removeAll { $0 === page }
    // A page of the server replaces what host code has configured for the same host.
    attached.removeAll { $0.isSamePage(as: page) }
    attached.append(page)
    queue.delegate = self
    queue.add(observer: self)
  }

  /// Whether a page of this host is attached.
  func isAttached(_ host: BridgeHost) -> Bool { attached.contains { $0.isOfPage(of: host) } }

  /// Forgets a page.
  func detach(_ page: OnsideJS) {
    attached.removeAll { $0 === page || $0.isSamePage(as: page) }
    expected.removeAll { $0 === page }
  }

  func onsidePaymentQueue(_ queue: OnsidePaymentQueue, updatedTransactions: [OnsidePaymentTransaction]) {
    send(.onTransactionsUpdated, updatedTransactions)
  }

  func onsidePaymentQueue(_ queue: OnsidePaymentQueue, removedTransactions: [OnsidePaymentTransaction]) {
    send(.onTransactionsRemoved, removedTransactions)
  }

  func onsidePaymentQueueDidChangeStorefront(_ queue: OnsidePaymentQueue) {
    for page in receivers { page.send(.onStorefrontChanged, ["storefront": queue.storefront?.json ?? .null]) }
  }

  func onsidePaymentQueueRestoreCompletedTransactionsFinished(_ queue: OnsidePaymentQueue) {
    for page in receivers { page.send(.onRestoreCompletedTransactionsFinished, [:]) }
  }

  func onsidePaymentQueue(
    _ queue: OnsidePaymentQueue,
    restoreCompletedTransactionsFailedWithError error: OnsideTransactionsRestoreError
  ) {
    for page in receivers {
      page.send(.onRestoreCompletedTransactionsFailedWithError, ["error": [error.rawValue: [:]]])
    }
  }

  func onsidePaymentQueue(
    _ queue: OnsidePaymentQueue,
    shouldContinue transaction: OnsidePaymentTransaction,
    in storefront: OnsideStorefront
  ) async -> Bool {
    await page(for: transaction, in: queue)?.ask(
      .shouldContinueTransaction, text: transaction.questionText(in: storefront)) ?? true
  }

  func onsidePaymentQueue(
    _ queue: OnsidePaymentQueue,
    shouldContinueAfterLogin transaction: OnsidePaymentTransaction
  ) async -> Bool {
    await page(for: transaction, in: queue)?.ask(
      .shouldContinueTransactionAfterLogin, text: transaction.questionText()) ?? true
  }

  private func send(_ callback: OnsideCallback, _ transactions: [OnsidePaymentTransaction]) {
    let pages = receivers
    if pages.isEmpty { return }
    let text = transactions.membersText
    for page in pages { page.send(callback, text: text) }
  }

  /// The page that asked for the transaction; if it has gone, the page that came last. The choice is ours: an app has one web view.
  private func page(for transaction: OnsidePaymentTransaction, in queue: OnsidePaymentQueue) -> OnsideJS? {
    let asker = queue.askers[transaction.id]
    return attached.first { asker != nil && $0.hostID == asker } ?? attached.last
  }
}
