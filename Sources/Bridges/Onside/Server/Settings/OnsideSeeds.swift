package import BridgeRuntime
package import OnsideKit
package import Sessions

/// The product and the buyer of a purchase or transaction that a test adds.
package struct SeededProduct: Sendable {
  /// The product's identifier.
  let identifier: String
  /// The account's id; nil for the signed-in account or, if there is none, the first one.
  let account: String?
  /// Where it is written, for errors: `scenarios.paid.purchases[0] in footbridge.yaml`.
  let place: String

  /// Returns the id of the account that buys.
  ///
  /// - Throws: `OptionError` if there is no such account, or if the product is not sold in its country.
  func buyer(
    among accounts: [OnsideAccount],
    signedIn: String?,
    in configuration: OnsideConfiguration
  ) throws(OptionError) -> String {
    let id = account ?? signedIn ?? accounts.first?.id
    guard let buyer = accounts.first(where: { $0.id == id }) else {
      throw OptionError("\(place) must be for one of the accounts: \(accounts.map(\.id).joined(separator: ", ")).")
    }
    if let problem = configuration.catalogue.problem(with: identifier) {
      throw OptionError("\(place) must be for a product of the catalogue. \(problem)")
    }
    guard configuration.sells(identifier, in: buyer.countryCode) else { throw notSold }
    return buyer.id
  }

  package init(identifier: String, account: String?, place: String) {
    self.identifier = identifier
    self.account = account
    self.place = place
  }

  fileprivate var notSold: OptionError {
    OptionError("\(place) must be for a product that is sold in the account's country: \(identifier) is not.")
  }
}

/// An earlier purchase.
package struct SeededPurchase: Sendable {
  /// The product and the buyer.
  let product: SeededProduct
  /// The number of orders.
  var quantity = 1
  /// The time; nil for now.
  var purchasedAt: BridgeInstant?
  /// Whether the app has finished the transaction. If not, pages receive it as purchased.
  var isFinished = true
  /// What the app passed to `purchase` with the product.
  var appAccountToken: String?
  /// The id of a promotional or win-back offer; nil for none, or for the introductory one.
  var offer: String?

  package init(
    product: SeededProduct, quantity: Int = 1, purchasedAt: BridgeInstant? = nil, isFinished: Bool = true,
    appAccountToken: String? = nil, offer: String? = nil
  ) {
    self.product = product
    self.quantity = quantity
    self.purchasedAt = purchasedAt
    self.isFinished = isFinished
    self.appAccountToken = appAccountToken
    self.offer = offer
  }

  /// Why the account cannot get the offer; nil if it can.
  ///
  /// - Throws: `OptionError` if the account cannot buy the product at all.
  @BridgeActor
  package func obstacle(in session: OnsideSession) throws(OptionError) -> OnsideOfferError? {
    guard let offer else { return nil }
    let account = try session.buyer(of: product, signedIn: session.onside.account?.id)
    do throws(OnsideOfferError) {
      try session.onside.checkOffer(offer, of: product.identifier, account: account)
      return nil
    } catch {
      return error
    }
  }

  /// Adds the orders.
  ///
  /// - Throws: `OptionError` if the account cannot buy the product.
  @BridgeActor
  package func make(in session: OnsideSession) throws(OptionError) -> [OnsidePurchase] {
    let account = try session.buyer(of: product, signedIn: session.onside.account?.id)
    var purchases: [OnsidePurchase] = []
    if let obstacle = try obstacle(in: session) { throw OptionError("\(product.place): \(obstacle.description)") }
    for _ in 0..<quantity {
      guard
        let purchase = session.onside.seedPurchase(
          of: product.identifier, account: account, purchasedAt: purchasedAt ?? session.now,
          isFinished: isFinished, appAccountToken: appAccountToken, offerID: offer)
      else { throw product.notSold }
      purchases.append(purchase)
    }
    return purchases
  }
}

/// A transaction that an earlier launch has left in the queue.
package struct SeededTransaction: Sendable {
  /// The product and the buyer.
  let product: SeededProduct
  /// Its stage.
  let progress: OnsideTransactionSeed

  package init(product: SeededProduct, progress: OnsideTransactionSeed) {
    self.product = product
    self.progress = progress
  }

  /// Checks that a transaction of the contract can fail like this one.
  package func check(with contract: OnsideContract) throws(OnsideSettingsError) {
    if case .failed(let error) = progress { try contract.check(error.rawValue, of: .payment) }
  }

  /// Adds the transaction.
  ///
  /// - Throws: `OptionError` if the account cannot buy the product, or if the contract does not have the error.
  @BridgeActor
  package func make(in session: OnsideSession) throws(OptionError) -> QueuedTransaction {
    let contract = session.onside.settings.contract
    try OptionError.refusing { () throws(OnsideSettingsError) in try check(with: contract) }
    let account = try session.buyer(of: product, signedIn: session.onside.account?.id)
    guard let transaction = session.onside.seedTransaction(of: product.identifier, account: account, progress) else {
      throw product.notSold
    }
    return transaction
  }
}
