import BridgeRuntime
import OnsideKit

/// A purchase that was made before, as a body or a scenario has it.
struct SeededPurchase: Sendable {
  /// What was bought, and who has bought it.
  let product: SeededProduct
  private let quantity: Int
  private let purchasedAt: BridgeInstant?
  private let isFinished: Bool

  /// Reads `{product, account?, quantity?, purchasedAt?, finished?}`.
  init(_ node: YAMLNode) throws(OptionError) {
    let members = try node.section(["product", "account", "quantity", "purchasedAt", "finished"])
    product = try SeededProduct(members, of: node)
    quantity = try members["quantity"]?.integer(in: 1...100) ?? 1
    purchasedAt = try members["purchasedAt"].map { node throws(OptionError) in
      guard let instant = BridgeInstant(rfc3339: try node.text()) else {
        throw node.expected("a time of RFC 3339 from 1970 on, such as 2026-01-31T12:00:00Z")
      }
      return instant
    }
    isFinished = try members["finished"]?.bool() ?? true
  }

  /// Makes the orders, now unless a time was given. Throws when the account cannot buy the product.
  @BridgeActor
  func make(in session: Session) throws(OptionError) -> [OnsidePurchase] {
    let onside = session.onside
    let account = try session.buyer(of: product)
    var purchases: [OnsidePurchase] = []
    for _ in 0..<quantity {
      guard
        let purchase = onside.seedPurchase(
          of: product.identifier, account: account, purchasedAt: purchasedAt ?? session.clock.now,
          isFinished: isFinished)
      else { throw product.notSold }
      purchases.append(purchase)
    }
    return purchases
  }
}
