import BridgeCore
import OnsideKit

/// The effects of tests' rules in one launch: products that pages could not load, and transactions that they could not finish (L01, L04,
/// L18). A pure state machine.
struct RuleExcuses {
  /// The maximum number of products, and that of transactions.
  static let limit = 2_000

  private var products: Set<String> = []
  private var transactions: Set<String> = []

  /// Notes that a rule has changed the outcome of a call or a callback with this data.
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

  /// Notes that a page has loaded products, and that no rule has prevented this.
  mutating func loaded(_ products: [String]) {
    if !self.products.isEmpty { self.products.subtract(products) }
  }

  /// Whether a rule has prevented pages from loading a product.
  func excuses(product: String) -> Bool { products.contains(product) }

  /// Whether a rule has prevented pages from finishing a transaction.
  func excuses(transaction: String) -> Bool { transactions.contains(transaction) }
}
