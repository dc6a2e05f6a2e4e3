import BridgeCore
import BridgeRuntime
import InAppPurchases

extension OnsideJS {
  /// `requestLogin`.
  func requestLogin(_ responder: OnsideResponder) {
    BridgeActor.begin { [self] in
      do throws(OnsideLoginError) {
        try await onside.requestLogin()
        responder.succeed()
      } catch {
        responder.fail(error)
      }
    }
  }

  /// `presentPaymentMethodsManager`.
  func presentPaymentMethods(_ responder: OnsideResponder) {
    BridgeActor.begin { [self] in
      do throws(OnsidePaymentMethodsManagerError) {
        try await onside.presentPaymentMethodsManager()
        responder.succeed()
      } catch {
        responder.fail(error)
      }
    }
  }

  /// `loadProducts`. Returns the products in the order of the identifiers.
  func loadProducts(_ identifiers: [String], _ responder: OnsideResponder) {
    let launch = onside.launch
    func answer() {
      let found: PricedProducts.Found
      do throws(OnsideProductsRequestError) {
        found = try launch.loadProducts(identifiers)
      } catch {
        return responder.fail(error)
      }
      let (products, invalid) = found
      launch.noteLoaded(products)
      var writer = JSONWriter()
      writer.bytes.reserveCapacity(products.reduce(256) { $0 + $1.text.count + 1 })
      writer.write(literal: #"{"invalidProductIdentifiers":"#)
      writer.write(.array(invalid.map { .string($0) }))
      writer.write(literal: #","products":["#)
      for (index, product) in products.enumerated() {
        if index > 0 { writer.write(literal: ",") }
        writer.write(json: product.text)
      }
      writer.write(literal: "]}")
      responder.succeed(text: writer.bytes)
    }
    afterRoundTrip(of: .loadProducts, answer)
  }

  /// `purchase`. The promise reports the lookup and the login; callbacks report the rest.
  func purchase(_ identifier: String, appAccountToken: String?, _ responder: OnsideResponder) {
    let purchase = InAppPurchase(
      productID: identifier, appAccountToken: appAccountToken, terms: .loaded, asksAfterLogin: true)
    store.request(purchase, for: hostID) { result in
      switch result {
      case .success: responder.succeed()
      case .failure(let error): responder.fail(error, as: JSPurchaseError.init)
      }
    }
  }

  /// `restoreCompletedTransactions`. The promise reports the login; callbacks report the rest.
  func restore(_ responder: OnsideResponder) {
    store.requestRestore(for: hostID) { error in
      guard let error else { return responder.succeed() }
      responder.fail(error, as: OnsidePaymentQueueRequestRestoreError.init)
    }
  }

  /// The same for a call that asks the store's servers.
  private func afterRoundTrip(of call: OnsideCall, _ body: @escaping @BridgeActor () -> Void) {
    let launch = onside.launch
    guard launch.roundTrips.duration > .zero else { return launch.afterDelay(of: call, body) }
    let end = launch.endOfDelay(call)
    BridgeActor.begin {
      await launch.wait(until: end)
      await launch.roundTrips.wait()
      body()
    }
  }
}

extension OnsideResponder {
  /// Rejects the promise with the contract's case for an error of the store; with a broken request if the contract has none.
  fileprivate func fail<E: OnsideError>(_ error: InAppError, as contract: (InAppError) -> E?) {
    if let error = contract(error) { return fail(error) }
    fail("bridge.brokenRequest", message: error.description)
  }
}

extension JSPurchaseError {
  fileprivate init?(_ error: InAppError) {
    switch error.code {
    case .unknownProduct: self = .unknownProduct
    case .cancelled: self = .loginDiscarded
    case .rejected: self = .rejectedAfterLogin
    default: return nil
    }
  }
}

extension OnsidePaymentQueueRequestRestoreError {
  fileprivate init?(_ error: InAppError) {
    guard error.code == .cancelled else { return nil }
    self = .loginDiscarded
  }
}
