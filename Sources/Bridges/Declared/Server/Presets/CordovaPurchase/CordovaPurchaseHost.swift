import InAppPurchases
import BridgeCore
import BridgeRuntime
import BridgeServer
import Essentials
import Sessions

extension PresetReader {
  /// cordova-plugin-purchase 13.18.0 with the App Store by its first interface (`InAppPurchase.m`). It has no options.
  static let cordovaPurchase = PresetReader(
    wire: "cordova", read: { _ throws(OptionError) in { CordovaPurchaseHost($0) } }, keys: [], plugins: [:],
    serve: { CordovaPurchaseValidator.serve(on: $0) })
}

/// The native side of cordova-plugin-purchase on iOS: the Cordova service `InAppPurchase` and the calls of `window.storekit`.
@BridgeActor
final class CordovaPurchaseHost: PresetHost {
  private static let service = "InAppPurchase."

  private let session: DeclaredSession
  private var listening: InAppListening?
  /// Whether the app wants no transaction to wait for it.
  private var finishes = false
  /// The products that were loaded.
  private var loaded: Set<String> = []
  /// The transactions that pages have got and not finished, by id: their products. Renewals are among them, as with StoreKit.
  private var open: [String: String] = [:]

  init(_ session: DeclaredSession) { self.session = session }

  /// The store of the session; nil if it has none.
  var store: (any InAppStore)? { session.store }

  /// The time of the session.
  var now: BridgeInstant { session.now }

  func closed(_ page: DeclaredPage) {}

  func ended() { listening?.end() }

  func handle(
    _ name: String, _ body: JSONValue, from page: DeclaredPage, _ responder: (any BridgeResponder)?
  ) -> Bool {
    guard name.hasPrefix(Self.service) else { return false }
    let arguments = body["args"]?.arrayValue ?? []
    switch name.dropFirst(Self.service.count) {
    case "debug": respond(responder, nil)
    case "autoFinish":
      finishes = true
      respond(responder, nil)
    case "setup": setUp(responder)
    case "processPendingTransactions": processPending(page, responder)
    case "canMakePayments":
      session.store == nil ? refuse(responder, "There is no store.") : respond(responder, "Payments are possible.")
    case "manageSubscriptions", "manageBilling", "presentCodeRedemptionSheet": respond(responder, "shown")
    case "getStorefront":
      guard let storefront = session.store?.storefront else { refuse(responder, "Nobody is signed in."); return true }
      respond(responder, .string(storefront.alpha3))
    case "load": load(arguments.first ?? .null, responder)
    case "purchase": purchase(arguments, on: page, responder)
    case "finishTransaction": finish(arguments.first?.stringValue ?? "", on: page, responder)
    case "restoreCompletedTransactions": restore(page)
    case "appStoreReceipt", "appStoreRefreshReceipt": receipt(responder)
    default: return false
    }
    return true
  }

  private func respond(_ responder: (any BridgeResponder)?, _ value: JSONValue?) {
    responder?.respond(status: .success, data: value.map { ["value": $0] } ?? [:], error: nil)
  }

  private func refuse(_ responder: (any BridgeResponder)?, _ text: String) {
    if let responder { DeclaredError(.string(text)).reject(responder) }
  }

  private func setUp(_ responder: (any BridgeResponder)?) {
    guard let store = session.store else { return refuse(responder, InAppError.noStore.description) }
    if listening == nil { listening = store.listen { [weak self] in self?.heard($0) } }
    respond(responder, "The plugin is ready.")
  }

  // MARK: Products

  private func load(_ identifiers: JSONValue, _ responder: (any BridgeResponder)?) {
    BridgeActor.begin { [self] in
      do throws(InAppError) {
        guard case .products(let wanted?) = try InAppRequest("products", ["products": identifiers]) else {
          return respond(responder, [.null, .null])
        }
        guard let store = session.store else { throw .noStore }
        let products = try await store.products(wanted)
        let valid = Set(products.map(\.id))
        loaded.formUnion(valid)
        let country = store.storefront?.alpha3
        let invalid = Set(wanted).subtracting(valid).sorted().map { JSONValue.string($0) }
        respond(responder, [.array(products.map { $0.cordovaPurchase(country: country) }), .array(invalid)])
      } catch {
        refuse(responder, error.description)
      }
    }
  }

  // MARK: Purchases

  private func purchase(
    _ arguments: [JSONValue], on page: DeclaredPage, _ responder: (any BridgeResponder)?
  ) {
    guard let product = arguments.first?.stringValue, loaded.contains(product), let store = session.store else {
      return refuse(responder, "The product does not exist, or was not loaded.")
    }
    let user = arguments.count > 2 ? arguments[2].stringValue : nil
    let offer = arguments.count > 3 ? arguments[3]["id"]?.stringValue : nil
    if (user?.utf8.count ?? 0) > InAppPurchase.tokenLimit {
      return refuse(responder, "The name of the user is too long.")
    }
    let purchase = InAppPurchase(productID: product, offerID: offer, appAccountToken: user)
    respond(responder, "The payment is in the queue.")
    update(page, .purchasing, product: product)
    BridgeActor.begin { [self] in
      do throws(InAppError) {
        switch try await store.purchase(purchase, for: page.hostID) {
        case .pending: update(page, .deferred, product: product)
        case .purchased(let transaction): deliver(transaction, to: [page], .purchased, offer: offer)
        }
      } catch {
        update(page, .failed, product: product, error: error)
      }
    }
  }

  /// Sends a transaction to pages. The app finishes it, unless it wants that done.
  private func deliver(
    _ transaction: InAppTransaction, to pages: [DeclaredPage], _ state: State, offer: String? = nil
  ) {
    open[transaction.id] = transaction.productID
    for page in pages { update(page, state, product: transaction.productID, transaction, offer: offer) }
    if finishes { for page in pages { close(transaction.id, on: page) } }
  }

  private func finish(_ id: String, on page: DeclaredPage, _ responder: (any BridgeResponder)?) {
    guard open[id] != nil else { return refuse(responder, "The transaction cannot be finished: there is none.") }
    close(id, on: page)
    respond(responder, "finished")
  }

  private func close(_ id: String, on page: DeclaredPage) {
    guard let product = open.removeValue(forKey: id) else { return }
    // A renewal was never in the store's queue.
    try? session.store?.finish(id)
    send(page, "transactionUpdated", [.string(State.finished.rawValue), 0, "", .string(id), .string(product)])
  }

  private func processPending(_ page: DeclaredPage, _ responder: (any BridgeResponder)?) {
    for transaction in session.store?.unfinished ?? [] { deliver(transaction, to: [page], .purchased) }
    send(page, "lastTransactionUpdated", [])
    respond(responder, "processed")
  }

  private func restore(_ page: DeclaredPage) {
    BridgeActor.begin { [self] in
      do throws(InAppError) {
        guard let store = session.store else { throw .noStore }
        for transaction in try await store.restore(for: page.hostID) { deliver(transaction, to: [page], .restored) }
        send(page, "restoreCompletedTransactionsFinished", [])
      } catch {
        send(page, "restoreCompletedTransactionsFailed", [.number(error.cordovaPurchaseCode)])
      }
    }
  }

  private func heard(_ notice: InAppNotice) {
    switch notice.kind {
    case .purchased, .renewed:
      if let transaction = notice.transaction { deliver(transaction, to: session.pages, .purchased) }
    case .declined:
      let error = InAppError(.cancelled, "The purchase was declined.")
      for page in session.pages { update(page, .failed, product: notice.productID ?? "", error: error) }
    default: break
    }
  }

  // MARK: The receipt

  /// The receipt is our signed history. ``CordovaPurchaseValidator`` reads it; so can one of the app, as it reads that of the Merchant API.
  private func receipt(_ responder: (any BridgeResponder)?) {
    BridgeActor.begin { [self] in
      guard let store = session.store else { return refuse(responder, InAppError.noStore.description) }
      let history = (try? await store.history()) ?? ""
      let receipt = Data(history.utf8).base64EncodedString()
      respond(responder, [.string(receipt), .string(store.bundleIdentifier), "1.0", 1, ""])
    }
  }

  // MARK: Calls of the page

  private enum State: String {
    case purchasing = "PaymentTransactionStatePurchasing"
    case purchased = "PaymentTransactionStatePurchased"
    case deferred = "PaymentTransactionStateDeferred"
    case failed = "PaymentTransactionStateFailed"
    case restored = "PaymentTransactionStateRestored"
    case finished = "PaymentTransactionStateFinished"
  }

  private func update(
    _ page: DeclaredPage, _ state: State, product: String, _ transaction: InAppTransaction? = nil,
    error: InAppError? = nil, offer: String? = nil
  ) {
    let time = transaction.map { String(Int64($0.purchasedAt.millisecondsSinceEpoch)) } ?? ""
    let original = transaction.flatMap { $0.originalID == $0.id ? nil : $0.originalID } ?? ""
    send(
      page, "transactionUpdated",
      [
        .string(state.rawValue), .number(error?.cordovaPurchaseCode ?? 0), .string(error?.description ?? ""),
        .string(transaction?.id ?? ""), .string(product), "", .string(original), .string(time), .string(offer ?? ""), 1,
      ])
  }

  private func send(_ page: DeclaredPage, _ function: String, _ arguments: [JSONValue]) {
    if let event = DeclaredEvent.call([.string("storekit.\(function)")], .array(arguments)) { page.send(event) }
  }
}

extension InAppError {
  /// The code of the plugin (`error-codes.ts`).
  fileprivate var cordovaPurchaseCode: Double {
    switch code {
    case .cancelled, .rejected: 6_777_006
    case .badRequest: 6_777_007
    case .noStore, .notSignedIn: 6_777_008
    case .unknownProduct: 6_777_023
    case .network: 6_777_014
    case .unknownOffer: 6_777_029
    case .notEligible: 6_777_031
    case .unknownTransaction, .unavailable, .limit, .failed: 6_777_010
    }
  }
}
