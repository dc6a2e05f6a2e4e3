public import BridgeRuntime
import Essentials

/// An entry of the payment queue (bridge reference, "JSPaymentTransaction").
public struct OnsidePaymentTransaction: Sendable, Hashable, Identifiable, Codable {
  /// Identifies the transaction. It stays the same at the next launch. Pages receive it as lower-case text.
  public let id: UUID
  /// The id of the order on the server; nil until the payment has been sent.
  public internal(set) var transactionIdentifier: String?
  /// The id of the original order, for a restored or renewed one.
  public internal(set) var originalTransactionIdentifier: String?
  /// What is bought.
  public internal(set) var payment: OnsidePayment
  /// The state of the transaction.
  public internal(set) var transactionState: OnsidePaymentTransactionState
  /// The storefront in which the transaction runs.
  public internal(set) var storefront: OnsideStorefront
  /// Why it failed. Set only in the state ``OnsidePaymentTransactionState/failed``.
  public internal(set) var error: OnsidePaymentTransactionError?

  /// Whether both are the same entry of the queue, perhaps at different times.
  public func isSame(as other: OnsidePaymentTransaction) -> Bool { id == other.id }
}

/// The state of a transaction (bridge reference, "JSPaymentTransactionState").
public enum OnsidePaymentTransactionState: String, Sendable, Codable {
  /// In progress: created, awaiting payment, and so on.
  case purchasing
  /// Completed. The app must finish it.
  case purchased
  /// Returned by a restore. The app must finish it.
  case restored
  /// Failed. The app must finish it.
  case failed

  /// Whether the state is final and the app must finish the transaction.
  public var isTerminal: Bool { self != .purchasing }
}

/// A request to buy one product (bridge reference, "JSPayment").
public struct OnsidePayment: Sendable, Hashable, Codable {
  /// The product, as it was when the payment was created.
  @Shared public var product: OnsideProduct
  /// A token of the app's choice. Transactions and the history contain it.
  public var appAccountToken: String?
  /// A promotional or win-back offer of the catalogue, at whose price the product is bought. The contract has none: pages cannot name one, and
  /// other bridges of the app can.
  package var offerID: String?

  /// Creates a payment.
  public init(product: OnsideProduct, appAccountToken: String? = nil) {
    self.product = product
    self.appAccountToken = appAccountToken
  }

  /// The same payment for the product as it is sold now.
  func with(_ product: OnsideProduct) -> OnsidePayment {
    var payment = OnsidePayment(product: product, appAccountToken: appAccountToken)
    payment.offerID = offerID
    return payment
  }
}

/// The selected storefront (bridge reference, "JSStorefront").
public struct OnsideStorefront: Sendable, Hashable, Codable {
  /// An opaque id. It is stable during one launch only.
  public let id: String
  /// ISO 3166-1 alpha-2.
  public let countryCode: String

  /// Creates a storefront.
  public init(id: String, countryCode: String) {
    self.id = id
    self.countryCode = countryCode
  }
}

extension UUID {
  /// A random UUID from the ids of a session.
  init(_ random: BridgeRandom) {
    let (high, low) = random.uuidHalves()
    self = withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
  }

  /// The UUID as pages, the store and the control API have it: lower-case. (`uuidString` is upper-case.)
  package var text: String {
    let (high, low) = withUnsafeBytes(of: uuid) { $0.loadUnaligned(as: (UInt64, UInt64).self) }
    return Hexadecimal.uuid(UInt64(bigEndian: high), UInt64(bigEndian: low))
  }
}
