public import BridgeRuntime

/// A request to buy one product (bridge reference, "JSPayment").
public struct OnsidePayment: Sendable, Hashable, Codable {
  /// The product as it was when the payment was made.
  @Shared public private(set) var product: OnsideProduct
  /// The app's own opaque token, handed back in transactions and in the history.
  public var appAccountToken: String?

  /// Creates a payment.
  public init(product: OnsideProduct, appAccountToken: String? = nil) {
    self.product = product
    self.appAccountToken = appAccountToken
  }
}
