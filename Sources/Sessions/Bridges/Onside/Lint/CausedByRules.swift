import BridgeCore
import OnsideKit

/// What rules of tests have caused in one launch: products that no page could load, and transactions that no page could finish (L01, L04,
/// L18). Pure.
struct CausedByRules {
  /// The maximum number of products, and of transactions.
  static let limit = 2_000

  private var products: Set<String> = []
  private var transactions: Set<String> = []

  /// A rule has made a call or a callback with these data end in another way.
  mutating func decided(_ action: String, _ data: JSONValue) {
    switch action {
    case OnsideCall.loadProducts.action:
      for product in data["productIdentifiers"]?.arrayValue ?? [] { Self.add(product.stringValue, to: &products) }
    case OnsideCall.finishTransaction.action: Self.add(data["id"]?.stringValue?.lowercased(), to: &transactions)
    case OnsideCallback.onTransactionsUpdated.action:
      for transaction in data["transactions"]?.arrayValue ?? [] where transaction["transactionState"] != "purchasing" {
        Self.add(transaction["id"]?.stringValue, to: &transactions)
      }
    default: break
    }
  }

  private static func add(_ text: String?, to list: inout Set<String>) {
    if let text, list.count < limit { list.insert(text) }
  }

  /// A page has loaded products, and no rule has kept it from that.
  mutating func loaded(_ products: [String]) {
    if !self.products.isEmpty { self.products.subtract(products) }
  }

  /// Whether a rule has kept pages from loading a product.
  func excuses(product: String) -> Bool { products.contains(product) }

  /// Whether a rule has kept pages from finishing a transaction.
  func excuses(transaction: String) -> Bool { transactions.contains(transaction) }
}
