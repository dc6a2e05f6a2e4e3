import BridgeCore
import BridgeRuntime

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
    let launch = onside.launch
    if let error = launch.takeError(of: .purchase, as: JSPurchaseError.self) {
      return afterDelay(of: .purchase) { responder.fail(error) }
    }
    guard let product = launch.state.launch.loadedProducts[identifier] else {
      return afterDelay(of: .purchase) { responder.fail(JSPurchaseError.unknownProduct) }
    }
    onside.purchaseIntake.add(
      OnsidePayment(product: product, appAccountToken: appAccountToken), from: self, responder)
  }

  /// `restoreCompletedTransactions`. The promise reports the login; callbacks report the rest.
  func restore(_ responder: OnsideResponder) {
    let launch = onside.launch
    afterDelay(of: .restoreCompletedTransactions) { [self] in
      if let error = launch.takeError(
        of: .restoreCompletedTransactions, as: OnsidePaymentQueueRequestRestoreError.self)
      {
        return responder.fail(error)
      }
      onside.purchaseIntake.addRestore(from: self, responder)
    }
  }

  /// Runs `body` after the delay that a test has set for `call`.
  private func afterDelay(of call: OnsideCall, _ body: @escaping () -> Void) {
    let launch = onside.launch
    guard let end = launch.endOfDelay(call) else { return body() }
    BridgeActor.begin {
      await launch.wait(until: end)
      body()
    }
  }

  /// The same for a call that asks the store's servers.
  private func afterRoundTrip(of call: OnsideCall, _ body: @escaping () -> Void) {
    let launch = onside.launch
    guard launch.roundTrips.duration > .zero else { return afterDelay(of: call, body) }
    let end = launch.endOfDelay(call)
    BridgeActor.begin {
      await launch.wait(until: end)
      await launch.roundTrips.wait()
      body()
    }
  }
}
