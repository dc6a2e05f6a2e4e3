package import BridgeCore
import BridgeRuntime

/// A request to the store in words: an operation and its members, as handlers write it in lines, and files in answers.
package enum InAppRequest: Sendable, Hashable {
  /// The products with these identifiers; nil for all.
  case products([String]?)
  /// Buys a product.
  case purchase(InAppPurchase)
  /// Restores what the account has bought.
  case restore
  /// Finishes a transaction.
  case finish(String)
  /// The unfinished transactions.
  case unfinished
  /// What the account has now.
  case entitlements
  /// All transactions of the account.
  case transactions
  /// The signed history.
  case history
  /// The country of the account.
  case storefront

  /// The names of the operations, each with its members.
  package static let operations: [String: [String]] = [
    "products": ["products"], "purchase": ["product", "offer", "appAccountToken"], "restore": [],
    "finish": ["transaction"],
    "unfinished": [], "entitlements": [], "transactions": [], "history": [], "storefront": [],
  ]

  /// The maximum number of products in a request, and the maximum length of an identifier in bytes.
  private static let (mostProducts, longestIdentifier) = (1000, 1000)

  /// Reads a request.
  ///
  /// - Throws: ``InAppError`` with the code ``InAppError/Code/badRequest``.
  package init(_ operation: String, _ members: [String: JSONValue]) throws(InAppError) {
    guard let known = Self.operations[operation] else {
      throw InAppError(
        .badRequest,
        "The store knows no such operation. It knows: \(Self.operations.keys.sorted().joined(separator: ", ")).")
    }
    guard members.keys.allSatisfy(known.contains) else {
      throw InAppError(
        .badRequest,
        known.isEmpty ? "\(operation) takes nothing." : "\(operation) takes only: \(known.joined(separator: ", ")).")
    }
    switch operation {
    case "products": self = .products(try Self.identifiers(members["products"]))
    case "purchase":
      let token = try Self.text("appAccountToken", members, limit: InAppPurchase.tokenLimit)
      self = .purchase(
        InAppPurchase(
          productID: try Self.neededText("product", members), offerID: try Self.text("offer", members),
          appAccountToken: token))
    case "finish": self = .finish(try Self.neededText("transaction", members))
    case "restore": self = .restore
    case "unfinished": self = .unfinished
    case "entitlements": self = .entitlements
    case "transactions": self = .transactions
    case "history": self = .history
    default: self = .storefront
    }
  }

  private static func identifiers(_ value: JSONValue?) throws(InAppError) -> [String]? {
    guard let value, value != .null else { return nil }
    guard let elements = value.arrayValue, elements.count <= mostProducts,
      elements.allSatisfy({ $0.stringValue.map { $0.utf8.count <= longestIdentifier } ?? false })
    else {
      throw InAppError(
        .badRequest,
        "products must be a list of at most \(mostProducts) texts, each with at most \(longestIdentifier) bytes.")
    }
    return elements.compactMap(\.stringValue)
  }

  private static func text(
    _ name: String, _ members: [String: JSONValue], limit: Int = longestIdentifier
  ) throws(InAppError) -> String? {
    guard let value = members[name], value != .null else { return nil }
    guard let text = value.stringValue, text.utf8.count <= limit else {
      throw InAppError(.badRequest, "\(name) must be a text of at most \(limit) bytes.")
    }
    return text
  }

  private static func neededText(_ name: String, _ members: [String: JSONValue]) throws(InAppError) -> String {
    guard let text = try text(name, members), !text.isEmpty else {
      throw InAppError(.badRequest, "\(name) must be a text. It is missing or empty.")
    }
    return text
  }

  /// Asks the store, and returns its answer; nil for none.
  ///
  /// - Parameters:
  ///   - store: The store of the session; nil if it has none.
  ///   - page: The page that shows the sheets; nil for any.
  @BridgeActor
  package func answer(of store: (any InAppStore)?, for page: BridgeHost.ID?) async throws(InAppError) -> JSONValue? {
    guard let store else { throw .noStore }
    switch self {
    case .products(let identifiers): return .array(try await store.products(identifiers).map(\.json))
    case .purchase(let purchase):
      switch try await store.purchase(purchase, for: page) {
      case .pending: return ["state": "pending"]
      case .purchased(let transaction):
        return ["state": "purchased", "transaction": try await Self.signed(transaction, by: store)]
      }
    case .restore: return try await Self.signed(try await store.restore(for: page), by: store)
    case .finish(let id):
      try store.finish(id)
      return nil
    case .unfinished: return try await Self.signed(store.unfinished, by: store)
    case .entitlements: return try await Self.signed(store.entitlements, by: store)
    case .transactions: return .array(store.transactions.map(\.json))
    case .history: return .string(try await store.history())
    case .storefront: return store.storefront.map { ["countryCode": .string($0.alpha2)] } ?? .null
    }
  }

  /// A transaction with its signature, as `jws`.
  @BridgeActor
  private static func signed(
    _ transaction: InAppTransaction, by store: any InAppStore
  ) async throws(InAppError) -> JSONValue {
    var members = transaction.members
    members["jws"] = .string(try await store.signed(transaction))
    return .object(members)
  }

  @BridgeActor
  private static func signed(
    _ transactions: [InAppTransaction], by store: any InAppStore
  ) async throws(InAppError) -> JSONValue {
    var signed: [JSONValue] = []
    for transaction in transactions { signed.append(try await self.signed(transaction, by: store)) }
    return .array(signed)
  }
}
