import BridgeCore
package import BridgeRuntime
import Essentials
package import InAppPurchases

/// The store of a launch, as every bridge of the app sells through it: pages of `window.onside` and declared bridges alike.
///
/// It observes the queue from the first use by a bridge that waits for outcomes. Of those purchases it finishes what fails at once: other
/// stores have no failed transactions. Pages of `window.onside` observe the queue themselves, and read the same launch in the contract's own
/// forms: unknown identifiers, a product's text as the catalogue keeps it, failed and deferred transactions, an error for each call. The
/// interface would need all of these for one bridge alone.
@BridgeActor
package final class OnsideStore: InAppStore {
  typealias Decision = Result<InAppPurchase.Outcome, InAppError>

  private(set) weak var onside: Onside?
  /// Waits until the state is on disk, and returns whether it is. Without a disk there is nothing to wait for.
  package var stored: @BridgeActor () async -> Bool = { true }
  /// Hears which products a bridge asks for.
  package var onProductsRequest: @BridgeActor (_ identifiers: [String]) -> Void = { _ in }
  /// The purchases whose outcome a bridge waits for, by their transactions.
  var purchases: [UUID: CheckedContinuation<Decision, Never>] = [:]
  /// The purchases that wait for somebody else, made in this launch.
  var pending: Set<UUID> = []
  var restores: [CheckedContinuation<InAppError?, Never>] = []
  var listeners: [Int: @BridgeActor (InAppNotice) -> Void] = [:]
  var listenerCount = 0
  /// What listeners hear next. Transactions are read when they are told: the queue follows the ledger.
  var notices: [@BridgeActor (Onside) -> InAppNotice] = []
  var isTelling = false
  private(set) var hasEnded = false

  init() {}

  /// The app is launched.
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

  static let ended = InAppError(.failed, "The app has ended.")

  /// The store while it is used, with its queue at work.
  func working() throws(InAppError) -> Onside {
    guard let onside, !hasEnded else { throw Self.ended }
    onside.defaultPaymentQueue().add(observer: self)
    return onside
  }

  func waitUntilStored() async throws(InAppError) {
    guard await stored() else {
      throw InAppError(.unavailable, "The store could not write the change, and has undone it.")
    }
  }

  // MARK: Products

  package func products(_ identifiers: [String]?) async throws(InAppError) -> [InAppProduct] {
    let onside = try working()
    onProductsRequest(identifiers ?? [])
    let identifiers = identifiers ?? onside.catalogue.products.map(\.id)
    await onside.launch.delay(.loadProducts)
    await onside.launch.roundTrips.wait()
    do throws(OnsideProductsRequestError) {
      return try onside.launch.loadProducts(identifiers).found.compactMap { InAppProduct($0.product, in: onside) }
    } catch {
      throw InAppError(products: error)
    }
  }

  // MARK: What the account has

  package var bundleIdentifier: String { onside?.launch.configuration.bundleIdentifier ?? "" }

  package var storefront: InAppStorefront? {
    guard let onside, !onside.isStorefrontAway,
      let territory = onside.account.flatMap({ Territory(code: $0.countryCode) })
    else { return nil }
    return InAppStorefront(alpha2: territory.alpha2, alpha3: territory.alpha3)
  }

  package var unfinished: [InAppTransaction] {
    guard let onside else { return [] }
    let ids = onside.defaultPaymentQueue().entries.filter(\.isUnfinishedPurchase).compactMap(
      \.transaction.transactionIdentifier)
    return ids.compactMap { onside.ledger[$0] }.map { InAppTransaction($0, in: onside) }
  }

  package var entitlements: [InAppTransaction] {
    guard let onside, let account = onside.account else { return [] }
    return onside.launch.restorable(for: account.id).map { InAppTransaction($0, in: onside) }
  }

  package var transactions: [InAppTransaction] {
    guard let onside, let account = onside.account else { return [] }
    return onside.ledger.purchases.filter(onside.launch.belonging(to: account.id)).map {
      InAppTransaction($0, in: onside)
    }
  }

  package func history() async throws(InAppError) -> String {
    let launch = try working().launch
    switch await launch.signedHistory(at: launch.endOfDelay(.getSignedInAppsHistory)) {
    case .success(let history): return history.string ?? ""
    case .failure(let error): throw InAppError(history: error)
    }
  }

  package func signed(_ transaction: InAppTransaction) async throws(InAppError) -> String {
    guard let onside, let order = onside.ledger[transaction.id] else {
      throw InAppError(.unknownTransaction, "There is no transaction with this id.")
    }
    let payload = order.storeKitPayload(
      isShared: transaction.isShared, bundleIdentifier: bundleIdentifier, at: onside.launch.now)
    do {
      guard let signer = onside.launch.historySigner else { throw InAppError(.failed, "The store has no key.") }
      return try await signer.sign(payload: Array(payload.jsonText.utf8))
    } catch {
      throw InAppError(.failed, "The transaction could not be signed.")
    }
  }
}
