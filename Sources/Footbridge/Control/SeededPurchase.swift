import BridgeRuntime
import Onside

/// What a body says of a purchase that was made before.
struct SeededPurchase {
  private let node: YAMLNode
  private let product: String
  private let account: String?
  private let quantity: Int
  private let purchasedAt: BridgeInstant?
  private let isFinished: Bool

  /// Reads `{product, account?, quantity?, purchasedAt?, finished?}`.
  init(_ node: YAMLNode) throws(OptionError) {
    self.node = node
    let members = try node.section(["product", "account", "quantity", "purchasedAt", "finished"])
    guard let product = try members["product"]?.text() else { throw node.expected("an object with at least a product") }
    self.product = product
    account = try members["account"]?.text()
    quantity = try members["quantity"]?.integer(in: 1...100) ?? 1
    purchasedAt = try members["purchasedAt"].map { node throws(OptionError) in
      guard let instant = BridgeInstant(rfc3339: try node.text()) else {
        throw node.expected("a time of RFC 3339 from 1970 on, such as 2026-01-31T12:00:00Z")
      }
      return instant
    }
    isFinished = try members["finished"]?.bool() ?? true
  }

  /// Makes the orders, of the account that is signed in unless the body names one. Throws when there is no such account, or it cannot buy
  /// the product.
  @BridgeActor
  func make(in session: Session) throws(OptionError) -> [OnsidePurchase] {
    let onside = session.onside
    guard let accountID = account ?? onside.account?.id ?? onside.accounts.first?.id,
      onside.accounts.contains(where: { $0.id == accountID })
    else { throw node.expected("for one of the accounts: \(onside.accounts.map(\.id).joined(separator: ", "))") }
    var purchases: [OnsidePurchase] = []
    for _ in 0..<quantity {
      guard
        let purchase = onside.seedPurchase(
          of: product, account: accountID, purchasedAt: purchasedAt ?? session.clock.now, isFinished: isFinished)
      else { throw node.expected("for a product that is sold in the account's country: \(product) is not") }
      purchases.append(purchase)
    }
    return purchases
  }
}
