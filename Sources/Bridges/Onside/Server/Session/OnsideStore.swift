import BridgeCore
import BridgeRuntime
import OnsideKit
import Sessions

/// The store of a session as other bridges use it: the same products, queue and orders that pages have by `window.onside`.
///
/// It observes the queue from the first use on. What fails is finished at once: other stores have no failed transactions.
///
/// Pages of `window.onside` reach the same functions of OnsideKit, and not this one: their contract has products in a form of their own, a
/// promise that resolves when a payment enters the queue, and transactions that the page sees in every state, also failed and restored ones.
@BridgeActor
final class OnsideStore: InAppStore, OnsidePaymentTransactionObserver {
  private typealias Decision = Result<InAppPurchase.Outcome, InAppError>

  private let context: SessionContext
  private let signer: any HistorySigner
  private let lint: OnsideLint
  private weak var onside: Onside?
  /// The purchases whose outcome a bridge waits for, by their transactions.
  private var purchases: [UUID: CheckedContinuation<Decision, Never>] = [:]
  /// The purchases that wait for somebody else, made in this launch.
  private var pending: Set<UUID> = []
  private var restores: [CheckedContinuation<InAppError?, Never>] = []
  private var listeners: [Int: @BridgeActor (InAppNotice) -> Void] = [:]
  private var listenerCount = 0
  /// What listeners hear next. Transactions are read when they are told: the queue follows the ledger.
  private var notices: [@BridgeActor (Onside) -> InAppNotice] = []
  private var isTelling = false
  private var hasEnded = false

  init(_ context: SessionContext, signer: any HistorySigner, lint: OnsideLint) {
    self.context = context
    self.signer = signer
    self.lint = lint
  }

  /// The session is launched.
  func begin(_ onside: Onside) { self.onside = onside }

  /// The launch has ended: what bridges wait for fails.
  func end() {
    hasEnded = true
    for purchase in purchases.values { purchase.resume(returning: .failure(Self.ended)) }
    for restore in restores { restore.resume(returning: Self.ended) }
    purchases = [:]
    restores = []
    listeners = [:]
  }

  private static let ended = InAppError(.failed, "The app has ended.")

  /// The store while it is used, with its queue at work.
  private func working() throws(InAppError) -> Onside {
    guard let onside, !hasEnded else { throw Self.ended }
    onside.defaultPaymentQueue().add(observer: self)
    return onside
  }

  private func waitUntilStored() async throws(InAppError) {
    guard await context.state.stored() else {
      throw InAppError(.unavailable, "The store could not write the change, and has undone it.")
    }
  }

  // MARK: Products

  func products(_ identifiers: [String]?) async throws(InAppError) -> [InAppProduct] {
    let onside = try working()
    lint.noteUnknown(identifiers ?? [], "products of the store")
    let identifiers = identifiers ?? onside.catalogue.products.map(\.id)
    do throws(OnsideProductsRequestError) {
      return try await onside.loadProducts(identifiers).compactMap { InAppProduct($0, in: onside) }
    } catch {
      throw InAppError(products: error)
    }
  }

  // MARK: Purchases

  func purchase(
    _ purchase: InAppPurchase, for page: BridgeHost.ID?
  ) async throws(InAppError) -> InAppPurchase.Outcome {
    let onside = try working()
    guard let product = onside.product(purchase.productID) else {
      throw InAppError(.unknownProduct, "No product \(purchase.productID.prefix(100)) is sold in this country.")
    }
    var payment = OnsidePayment(product: product, appAccountToken: purchase.appAccountToken)
    payment.offerID = purchase.offerID
    let decision = await decision(about: payment, in: onside, for: page)
    try await waitUntilStored()
    return try decision.get()
  }

  private func decision(about payment: OnsidePayment, in onside: Onside, for page: BridgeHost.ID?) async -> Decision {
    await withCheckedContinuation { continuation in
      BridgeActor.begin { [self] in
        do throws(Onside.PaymentRefusal) {
          try await onside.add(payment, askedBy: page) { id in
            if hasEnded { continuation.resume(returning: .failure(Self.ended)) } else { purchases[id] = continuation }
          }
        } catch {
          continuation.resume(returning: .failure(InAppError(error)))
        }
      }
    }
  }

  private func decide(_ id: UUID, _ decision: Decision) {
    purchases.removeValue(forKey: id)?.resume(returning: decision)
  }

  func finish(_ id: String) throws(InAppError) {
    let queue = try working().defaultPaymentQueue()
    let entry = queue.entries.first { $0.isUnfinishedPurchase && $0.transaction.transactionIdentifier == id }
    guard let entry else { throw InAppError(.unknownTransaction, "There is no unfinished transaction with this id.") }
    queue.finishTransaction(entry.transaction)
  }

  // MARK: Restoring

  func restore(for page: BridgeHost.ID?) async throws(InAppError) -> [InAppTransaction] {
    let onside = try working()
    let failure: InAppError? = await withCheckedContinuation { continuation in
      restores.append(continuation)
      // Restores that are made at the same time are one.
      if restores.count > 1 { return }
      BridgeActor.begin { [self] in
        do throws(OnsidePaymentQueueRequestRestoreError) {
          try await onside.restore(askedBy: page)
        } catch {
          restored(InAppError(.cancelled, "The person has dismissed the login."))
        }
      }
    }
    if let failure { throw failure }
    try await waitUntilStored()
    return entitlements
  }

  private func restored(_ failure: InAppError?) {
    let waiting = restores
    restores = []
    for restore in waiting { restore.resume(returning: failure) }
  }

  // MARK: What the account has

  var bundleIdentifier: String { onside?.bundleIdentifier ?? "" }

  var storefront: InAppStorefront? {
    guard let onside, !onside.isStorefrontAway,
      let territory = onside.account.flatMap({ Territory(code: $0.countryCode) })
    else { return nil }
    return InAppStorefront(alpha2: territory.alpha2, alpha3: territory.alpha3)
  }

  var unfinished: [InAppTransaction] {
    guard let onside else { return [] }
    let ids = onside.defaultPaymentQueue().entries.filter(\.isUnfinishedPurchase).compactMap(
      \.transaction.transactionIdentifier)
    return ids.compactMap { onside.ledger[$0] }.map { InAppTransaction($0, in: onside) }
  }

  var entitlements: [InAppTransaction] {
    guard let onside, let account = onside.account else { return [] }
    return onside.restorable(for: account.id).map { InAppTransaction($0, in: onside) }
  }

  var transactions: [InAppTransaction] {
    guard let onside, let account = onside.account else { return [] }
    return onside.ledger.purchases.filter(onside.belonging(to: account.id)).map { InAppTransaction($0, in: onside) }
  }

  func history() async throws(InAppError) -> String {
    let onside = try working()
    do throws(OnsideSignedInAppsHistoryRequestError) {
      return try await onside.signedHistory()
    } catch {
      throw InAppError(history: error)
    }
  }

  func signed(_ transaction: InAppTransaction) async throws(InAppError) -> String {
    guard let onside, let order = onside.ledger[transaction.id] else {
      throw InAppError(.unknownTransaction, "There is no transaction with this id.")
    }
    let payload = OnsideNotification.transaction(
      order, isShared: transaction.isShared, bundleIdentifier: onside.bundleIdentifier, at: onside.now)
    do {
      return try await signer.sign(payload: Array(payload.jsonText.utf8))
    } catch {
      throw InAppError(.failed, "The transaction could not be signed.")
    }
  }

  // MARK: Notices

  func listen(_ hear: @escaping @BridgeActor (InAppNotice) -> Void) -> InAppListening {
    listenerCount += 1
    let number = listenerCount
    listeners[number] = hear
    _ = try? working()
    return InAppListening { [weak self] in self?.listeners[number] = nil }
  }

  /// The state has changed. Listeners hear of it in a later turn, when it is stored.
  func changed(from former: OnsideState, to present: OnsideState) {
    if former.transactions != present.transactions { noteWaiting(present) }
    if listeners.isEmpty { return }
    if former.account?.id != present.account?.id { tell(InAppNotice(.accountChanged)) }
    guard former.ledger != present.ledger, let onside, let account = present.account else { return }
    let belongs = onside.belonging(to: account.id)
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

  private func tell(_ notice: InAppNotice) {
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
    let isStored = await context.state.stored()
    let told = notices
    notices = []
    isTelling = false
    guard isStored, let onside else { return }
    for notice in told.map({ $0(onside) }) {
      for (_, hear) in listeners.sorted(by: { $0.key < $1.key }) { hear(notice) }
    }
  }

  // MARK: The queue

  func onsidePaymentQueue(_ queue: OnsidePaymentQueue, updatedTransactions: [OnsidePaymentTransaction]) {
    for transaction in updatedTransactions {
      switch transaction.transactionState {
      case .purchasing: break
      case .purchased: wasPurchased(transaction)
      case .failed: hasFailed(transaction, in: queue)
      case .restored: if !restores.isEmpty { queue.finishTransaction(transaction) }
      }
    }
  }

  private func wasPurchased(_ transaction: OnsidePaymentTransaction) {
    pending.remove(transaction.id)
    guard purchases[transaction.id] != nil, let onside, let order = transaction.transactionIdentifier else { return }
    guard let order = onside.ledger[order] else { return decide(transaction.id, .failure(Self.ended)) }
    decide(transaction.id, .success(.purchased(InAppTransaction(order, in: onside))))
  }

  private func hasFailed(_ transaction: OnsidePaymentTransaction, in queue: OnsidePaymentQueue) {
    if pending.remove(transaction.id) != nil {
      tell(InAppNotice(.declined, productID: transaction.payment.product.productIdentifier))
    } else if purchases[transaction.id] == nil {
      return
    }
    decide(transaction.id, .failure(InAppError(payment: transaction.error)))
    queue.finishTransaction(transaction)
  }

  func onsidePaymentQueue(_ queue: OnsidePaymentQueue, removedTransactions: [OnsidePaymentTransaction]) {
    for transaction in removedTransactions {
      pending.remove(transaction.id)
      decide(transaction.id, .failure(InAppError(payment: .cancelled)))
    }
  }

  func onsidePaymentQueueRestoreCompletedTransactionsFinished(_ queue: OnsidePaymentQueue) { restored(nil) }

  func onsidePaymentQueue(
    _ queue: OnsidePaymentQueue, restoreCompletedTransactionsFailedWithError error: OnsideTransactionsRestoreError
  ) {
    restored(InAppError(restore: error))
  }
}
