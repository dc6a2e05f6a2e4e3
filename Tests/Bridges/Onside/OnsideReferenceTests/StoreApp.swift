// A store in an app, as it would be for iOS: nothing in this file says that it is not.

import Observation
import OnsideKit

@MainActor
final class StoreAppDelegate: OnsideDelegate {
  private let transactions = TransactionObserver()
  var countryCode: String? = "DE"

  func applicationDidFinishLaunching() {
    Onside.initialize()
    Onside.callbackScheme = "com.example.store"
    Onside.delegate = self
    Onside.paymentQueue().add(observer: transactions)
  }

  func open(_ url: URL) -> Bool {
    Onside.handle(url: url)
  }

  var observer: TransactionObserver { transactions }

  func onsideDefaultCountryCodeAssumption() -> String? {
    countryCode
  }

  func onsideShouldForceLocalLoginMethods() -> Bool {
    true
  }
}

@Observable
@MainActor
final class TransactionObserver: OnsidePaymentTransactionObserver {
  private(set) var storefront: OnsideStorefront?
  private(set) var isRestoring = false
  private(set) var owned: Set<String> = []
  private(set) var removed = 0
  private(set) var lastError: String?

  func restore() {
    Onside.defaultPaymentQueue().restoreCompletedTransactions { [weak self] result in
      switch result {
      case .success:
        self?.isRestoring = true
      case .failure(let error):
        self?.lastError = "\(error)"
      }
    }
  }

  func onsidePaymentQueue(_ queue: OnsidePaymentQueue, updatedTransactions transactions: [OnsidePaymentTransaction]) {
    for transaction in transactions {
      switch transaction.transactionState {
      case .purchasing:
        continue
      case .purchased, .restored:
        owned.insert(transaction.payment.product.productIdentifier)
        queue.finishTransaction(transaction)
      case .failed:
        lastError = transaction.error?.localizedDescription ?? "unknown"
        queue.finishTransaction(transaction)
      @unknown default:
        queue.finishTransaction(transaction)
      }
    }
  }

  func onsidePaymentQueue(_ queue: OnsidePaymentQueue, removedTransactions: [OnsidePaymentTransaction]) {
    removed += removedTransactions.count
  }

  func onsidePaymentQueueDidChangeStorefront(_ queue: OnsidePaymentQueue) {
    storefront = queue.storefront
  }

  func onsidePaymentQueueRestoreCompletedTransactionsFinished(_ queue: OnsidePaymentQueue) {
    isRestoring = false
  }

  func onsidePaymentQueue(
    _ queue: OnsidePaymentQueue,
    restoreCompletedTransactionsFailedWithError error: OnsideTransactionsRestoreError
  ) {
    isRestoring = false
    lastError = "\(error)"
  }
}

@MainActor
final class ProductList {
  private var productsRequest: OnsideProductsRequest?
  private(set) var products: [OnsideProduct] = []
  private(set) var unknown: Set<String> = []
  private(set) var failure: OnsideProductsRequestError?
  private(set) var isFinished = false

  func fetchProducts() {
    let request = Onside.makeProductsRequest(productIdentifiers: ["coins", "nothing"])
    request.delegate = self
    productsRequest = request
    request.start()
  }

  func buy(_ product: OnsideProduct, for person: String, then: @escaping (OnsidePaymentQueueAddProductError?) -> Void) {
    var payment = OnsidePayment(product: product)
    payment.appAccountToken = person
    Onside.defaultPaymentQueue().add(payment) { result in
      if case .failure(let error) = result { then(error) } else { then(nil) }
    }
  }
}

extension ProductList: OnsideProductsRequestDelegate {
  func onsideProductsRequest(_ request: OnsideProductsRequest, didReceive response: OnsideProductsResponse) {
    products = response.products
    unknown = response.invalidProductIdentifiers
  }

  func onsideProductsRequest(_ request: OnsideProductsRequest, didFailWithError error: OnsideProductsRequestError) {
    failure = error
  }

  func onsideProductsRequestDidFinish(_ request: OnsideProductsRequest) {
    productsRequest = nil
    isFinished = true
  }
}

/// Sends the signed history to the publisher's backend.
@MainActor
final class HistoryUpload: OnsideSignedInAppsHistoryRequestDelegate {
  private var historyRequest: OnsideSignedInAppsHistoryRequest?
  private(set) var sent: Data?
  private(set) var problem: OnsideSignedInAppsHistoryRequestError?

  func start() {
    switch Onside.makeSignedInAppsHistoryRequest() {
    case .success(let request):
      request.delegate = self
      historyRequest = request
      request.start()
    case .failure(let error):
      problem = error
    }
  }

  func onsideSignedInAppsHistoryRequest(
    _ request: OnsideSignedInAppsHistoryRequest,
    didReceive response: OnsideSignedInAppsHistory
  ) {
    sent = response.data
  }

  func onsideSignedInAppsHistoryRequest(
    _ request: OnsideSignedInAppsHistoryRequest,
    didFailWithError error: OnsideSignedInAppsHistoryRequestError
  ) {
    problem = error
  }
}

/// Asks before a purchase goes on in another storefront.
@MainActor
final class PriceGuard: OnsidePaymentQueueDelegate {
  private(set) var asked: [String] = []
  var continues = true

  func onsidePaymentQueue(
    _ queue: OnsidePaymentQueue,
    shouldContinue transaction: OnsidePaymentTransaction,
    in storefront: OnsideStorefront
  ) -> Bool {
    asked.append(storefront.countryCode)
    return continues
  }
}

/// The account screen: everything that it calls needs no more than a completion.
@MainActor
final class AccountScreen {
  private(set) var log: [String] = []

  func logIn() {
    Onside.requestLogin { result in
      switch result {
      case .success:
        self.log.append("logged in")
      case .failure(.loginDiscarded):
        self.log.append("discarded")
      }
    }
  }

  func logOut() {
    Onside.logout()
  }

  func showPaymentMethods() {
    Onside.presentPaymentMethodsManager { result in
      if case .failure(let error) = result { self.log.append("\(error)") } else { self.log.append("shown") }
    }
  }

  func attribute() {
    Onside.getAttributionMetadata { result in
      switch result {
      case .success(let metadata):
        self.log.append(metadata.refererUrl?.host ?? "organic")
      case .failure(let error):
        self.log.append("\(error)")
      }
    }
  }
}

/// A screen that shows the store's web page.
@MainActor
final class WebStore {
  let webView = WKWebView(frame: .zero)

  init() {
    OnsideJS.configureOnsideForWebView(webView)
  }
}
