import BridgeCore
import BridgeRuntime

extension OnsideJS {
  /// `loadProducts`: products in the order in which they were asked for.
  func loadProducts(_ identifiers: [String], _ responder: OnsideResponder) {
    let launch = onside.launch
    func answer() {
      if let error = launch.takeError(of: .loadProducts, as: OnsideProductsRequestError.self) {
        return responder.fail(error)
      }
      let (products, invalid) = launch.pricedProducts(identifiers)
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
    afterDelay(of: .loadProducts, answer)
  }

  /// `purchase`: the promise tells of the lookup and the login, everything else comes by callback.
  func purchase(_ identifier: String, appAccountToken: String?, _ responder: OnsideResponder) {
    let launch = onside.launch
    let queue = onside.defaultPaymentQueue()
    let pages = onside.pages
    if let error = launch.takeError(of: .purchase, as: JSPurchaseError.self) {
      return afterDelay(of: .purchase) { responder.fail(error) }
    }
    guard let product = launch.state.launch.loadedProducts[identifier] else {
      return afterDelay(of: .purchase) { responder.fail(JSPurchaseError.unknownProduct) }
    }
    let payment = OnsidePayment(product: product, appAccountToken: appAccountToken)
    func enqueue(_ transaction: OnsidePaymentTransaction) {
      responder.succeed()
      queue.enqueue(transaction)
    }
    if refusesPurchase(responder) { return }
    if launch.lastPurchase == nil, launch.state.settings[.purchase].delayMilliseconds == 0,
      let transaction = queue.makeTransaction(payment)
    {
      pages.note(buyer: self, of: transaction.id)
      return enqueue(transaction)
    }
    // One after another: a purchase that arrives when the login of an earlier one has just ended must not come before it.
    launch.purchaseCount += 1
    let number = launch.purchaseCount
    let isLoginNeeded = launch.state.account == nil
    launch.lastPurchase = Task { [earlier = launch.lastPurchase] in
      defer { if launch.purchaseCount == number { launch.lastPurchase = nil } }
      // Who dismisses the login dismisses it for all purchases that wait for it.
      if await earlier?.value == true {
        responder.fail(JSPurchaseError.loginDiscarded)
        return true
      }
      await launch.delay(.purchase)
      var isDiscarded = false
      let asked: OnsidePaymentTransaction? = await withCheckedContinuation { continuation in
        launch.signIn { isSignedIn in
          // Others may have come first while the login was open.
          if self.refusesPurchase(responder) { return continuation.resume(returning: nil) }
          guard isSignedIn, let transaction = queue.makeTransaction(payment) else {
            isDiscarded = true
            responder.fail(JSPurchaseError.loginDiscarded)
            return continuation.resume(returning: nil)
          }
          pages.note(buyer: self, of: transaction.id)
          if isLoginNeeded, queue.asksAfterLogin { return continuation.resume(returning: transaction) }
          enqueue(transaction)
          continuation.resume(returning: nil)
        }
      }
      guard let transaction = asked else { return isDiscarded }
      let goesOn = await queue.goesOnAfterLogin(transaction)
      // Whoever signs out while the page is asked has discarded the login, too.
      if !goesOn || launch.state.account == nil {
        pages.forgetBuyer(of: transaction.id)
        responder.fail(goesOn ? JSPurchaseError.loginDiscarded : .rejectedAfterLogin)
        return false
      }
      enqueue(transaction)
      return false
    }
  }

  /// Refuses a purchase when the session has as much as it may have; says whether it did.
  private func refusesPurchase(_ responder: OnsideResponder) -> Bool {
    let limits = onside.launch.configuration.limits
    let transactions = onside.state.transactions
    let orders = onside.state.ledger.purchases.count
    let reason: String? =
      if transactions.count >= limits.transactions {
        "\(limits.transactions) unfinished transactions"
      } else if orders + transactions.count >= limits.orders,
        // What is still to be paid will be an order. They are counted only when that can matter.
        orders + transactions.count(where: { $0.transaction.transactionState == .purchasing }) >= limits.orders
      {
        "\(limits.orders) orders"
      } else {
        nil
      }
    guard let reason else { return false }
    onside.onBound?("A session has \(reason), which is as many as it may have; further purchases are refused.")
    responder.fail("bridge.brokenRequest", message: "This session has \(reason), which is as many as it may have.")
    return true
  }

  /// `restoreCompletedTransactions`: the promise tells of the login, everything else comes by callback.
  func restore(_ responder: OnsideResponder) {
    let queue = onside.defaultPaymentQueue()
    Task {
      do throws(OnsidePaymentQueueRequestRestoreError) {
        await onside.launch.delay(.restoreCompletedTransactions)
        try await queue.restoreCompletedTransactions()
        responder.succeed()
      } catch {
        responder.fail(error)
      }
    }
  }

  /// Runs `body` now, or as much later as was set for `call`.
  private func afterDelay(of call: OnsideCall, _ body: @escaping () -> Void) {
    let launch = onside.launch
    if launch.state.settings[call].delayMilliseconds == 0 { return body() }
    Task {
      await launch.delay(call)
      body()
    }
  }
}
