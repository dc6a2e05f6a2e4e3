package import BridgeRuntime
package import OnsideKit

/// What is bought in a purchase or transaction that is made beforehand, and who buys it.
package struct SeededProduct: Sendable {
  /// The product's identifier.
  let identifier: String
  /// The account's id; nil for the one that is signed in, or else the first one.
  let account: String?
  /// Where this was written, for errors: `scenarios.paid.purchases[0] in footbridge.yaml`.
  let place: String

  /// The id of the account that buys.
  ///
  /// - Throws: `OptionError` if there is no such account, or its country does not sell the product.
  func buyer(
    among accounts: [OnsideAccount],
    signedIn: String?,
    in configuration: OnsideConfiguration
  ) throws(OptionError) -> String {
    let id = account ?? signedIn ?? accounts.first?.id
    guard let buyer = accounts.first(where: { $0.id == id }) else {
      throw OptionError("\(place) must be for one of the accounts: \(accounts.map(\.id).joined(separator: ", ")).")
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

/// A purchase that was made before the test begins.
package struct SeededPurchase: Sendable {
  /// What was bought, and by whom.
  let product: SeededProduct
  /// How many orders there are.
  var quantity = 1
  /// When; nil for now.
  var purchasedAt: BridgeInstant?
  /// Whether the app has finished the transaction; if not, pages get it as purchased.
  var isFinished = true

  package init(product: SeededProduct, quantity: Int = 1, purchasedAt: BridgeInstant? = nil, isFinished: Bool = true) {
    self.product = product
    self.quantity = quantity
    self.purchasedAt = purchasedAt
    self.isFinished = isFinished
  }

  /// Makes the orders.
  ///
  /// - Throws: `OptionError` if the account cannot buy the product.
  @BridgeActor
  package func make(in session: OnsideSession) throws(OptionError) -> [OnsidePurchase] {
    let account = try session.buyer(of: product, signedIn: session.onside.account?.id)
    var purchases: [OnsidePurchase] = []
    for _ in 0..<quantity {
      guard
        let purchase = session.onside.seedPurchase(
          of: product.identifier, account: account, purchasedAt: purchasedAt ?? session.now,
          isFinished: isFinished)
      else { throw product.notSold }
      purchases.append(purchase)
    }
    return purchases
  }
}

/// A transaction that an earlier launch of the app has left in the queue.
package struct SeededTransaction: Sendable {
  /// What is being bought, and by whom.
  let product: SeededProduct
  /// How far it has come.
  let progress: OnsideTransactionSeed

  package init(product: SeededProduct, progress: OnsideTransactionSeed) {
    self.product = product
    self.progress = progress
  }

  /// Makes the transaction.
  ///
  /// - Throws: `OptionError` if the account cannot buy the product.
  @BridgeActor
  package func make(in session: OnsideSession) throws(OptionError) -> QueuedTransaction {
    let account = try session.buyer(of: product, signedIn: session.onside.account?.id)
    guard let transaction = session.onside.seedTransaction(of: product.identifier, account: account, progress) else {
      throw product.notSold
    }
    return transaction
  }
}
