// A store that sets everything that the vendor's pages name, as it would be for iOS. Nothing in this file says that it is not.

import Observation
import OnsideKit

/// Chooses how OnsideKit looks and behaves. A class without an actor, as apps have it.
final class StoreCustomization: OnsideDelegate {
  let windowScene = UIWindowScene()
  private(set) var asked: [OnsideScreen] = []

  func apply() {
    Onside.initialize(storeKitConfigurationName: "Store")
    Onside.delegate = self
    Onside.appearance().setThemeMode(.light)
  }

  func onside(hostWindowSceneForScreen screen: OnsideScreen) -> UIWindowScene? {
    windowScene
  }

  func onside(uiThemeOverrideForScreen screen: OnsideScreen) -> OnsideUIThemeMode? {
    asked.append(screen)
    return screen == .payment ? .dark : nil
  }
}

/// Keeps transactions by their ids until they are finished.
final class TransactionStore: OnsidePaymentTransactionObserver {
  private(set) var open: [UUID: OnsidePaymentTransaction] = [:]
  private(set) var receipts: [String] = []
  private(set) var isOver = false

  func start() {
    Onside.paymentQueue().add(observer: self)
  }

  func stop() {
    Onside.paymentQueue().remove(observer: self)
  }

  func restore() {
    Onside.paymentQueue().restoreCompletedTransactions()
  }

  /// Finishes a transaction that the app knows by the text of its id.
  func finish(id: String) {
    guard let uuid = UUID(uuidString: id), let transaction = open[uuid] else { return }
    Onside.defaultPaymentQueue().finishTransaction(transaction)
  }

  func onsidePaymentQueue(_ queue: OnsidePaymentQueue, updatedTransactions: [OnsidePaymentTransaction]) {
    for transaction in updatedTransactions {
      guard queue.transactions.contains(where: { $0.isSame(as: transaction) }) else { continue }
      open[transaction.id] = transaction
      let order = transaction.transactionIdentifier ?? "no order"
      receipts.append("\(transaction.transactionState) in \(transaction.storefront.countryCode): \(order)")
    }
  }

  func onsidePaymentQueue(_ queue: OnsidePaymentQueue, removedTransactions: [OnsidePaymentTransaction]) {
    for transaction in removedTransactions { open.removeValue(forKey: transaction.id) }
    isOver = open.isEmpty
  }
}

/// What a shop shows of a product.
struct ProductLabel {
  let product: OnsideProduct

  var price: String {
    guard let period = product.subscriptionPeriod else { return amount(product.price) }
    return "\(amount(product.price)) \(duration(period))"
  }

  var offer: String? {
    guard let offer = product.introductoryPrice ?? product.discountedPrice else { return nil }
    return "\(offer.price.value == 0 ? "free" : amount(offer.price)) \(duration(offer.period))"
  }

  private func amount(_ price: OnsidePrice) -> String {
    "\(price.value) \(price.currencyCode)"
  }

  private func duration(_ period: OnsidePeriod) -> String {
    switch period {
    case .day(let count): "for \(count) day(s)"
    case .week(let count): "for \(count) week(s)"
    case .month(let count): "for \(count) month(s)"
    case .year(let count): "for \(count) year(s)"
    }
  }
}

/// A shop, with a request that it can give up.
@MainActor
@Observable
final class Shop: OnsideProductsRequestDelegate {
  private(set) var products: [OnsideProduct] = []
  private(set) var error: OnsideProductsRequestError?
  private(set) var isLoading = false
  private var request: OnsideProductsRequest?

  func reload(_ identifiers: Set<String>) {
    request = Onside.makeProductsRequest(productIdentifiers: identifiers)
    request?.delegate = self
    request?.start()
    isLoading = true
  }

  func giveUp() {
    request?.stop()
  }

  func buy(_ product: OnsideProduct) {
    Onside.trackEvent(name: "purchaseCompleted", parameters: ["product": .string(product.productIdentifier)])
    Onside.paymentQueue().add(product)
  }

  func onsideProductsRequest(_ request: OnsideProductsRequest, didReceive response: OnsideProductsResponse) {
    products = response.products
  }

  func onsideProductsRequest(_ request: OnsideProductsRequest, didFailWithError error: OnsideProductsRequestError) {
    self.error = error
  }

  func onsideProductsRequestDidFinish(_ request: OnsideProductsRequest) {
    isLoading = false
    self.request = nil
  }
}

/// Asks the person before a purchase goes on in another storefront, which takes time.
@MainActor
final class StorefrontQuestion: OnsidePaymentQueueDelegate {
  private(set) var asked: [String] = []
  var answer = false

  func onsidePaymentQueue(
    _ queue: OnsidePaymentQueue,
    shouldContinue transaction: OnsidePaymentTransaction,
    in storefront: OnsideStorefront
  ) async -> Bool {
    await Task.yield()
    asked.append("\(transaction.payment.product.productIdentifier) in \(storefront.countryCode)")
    return answer
  }
}
