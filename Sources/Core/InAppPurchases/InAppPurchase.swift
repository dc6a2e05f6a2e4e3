package import BridgeCore

/// A purchase that a bridge asks for.
package struct InAppPurchase: Sendable, Hashable {
  /// What has become of a purchase.
  package enum Outcome: Sendable, Hashable {
    /// The account has bought it. The app delivers it, and finishes the transaction.
    case purchased(InAppTransaction)
    /// Somebody else decides later: who approves purchases ("ask to buy"), or the person, who must resolve something first.
    case pending
  }

  /// What is known of the product when it is bought.
  package enum Terms: Sendable, Hashable {
    /// The product as it is sold now.
    case present
    /// The product as the app has loaded it in this launch; any other is unknown. If its price has changed since, the person is asked.
    case loaded
  }

  /// The maximum length of a token in bytes.
  package static let tokenLimit = 4096

  /// The identifier of the product.
  package let productID: String
  /// A promotional or win-back offer of the product; nil for the usual price, or the introductory one.
  package let offerID: String?
  /// A token of the app's choice, which the transaction has.
  package let appAccountToken: String?
  /// Which terms it has.
  package let terms: Terms
  /// Whether the app is asked, after a login, if the purchase goes on.
  package let asksAfterLogin: Bool

  package init(
    productID: String, offerID: String? = nil, appAccountToken: String? = nil, terms: Terms = .present,
    asksAfterLogin: Bool = false
  ) {
    self.productID = productID
    self.offerID = offerID
    self.appAccountToken = appAccountToken
    self.terms = terms
    self.asksAfterLogin = asksAfterLogin
  }
}

/// What has happened in the store without a call of the app.
package struct InAppNotice: Sendable, Hashable {
  /// The kinds. The raw value is that in lines of handlers and in `notices`.
  package enum Kind: String, Sendable, CaseIterable {
    /// The account has bought something elsewhere, or a purchase that was pending has been approved.
    case purchased
    /// A purchase that was pending has been declined.
    case declined
    /// A subscription has renewed.
    case renewed
    /// A subscription has ended.
    case expired
    /// A renewal has failed. The store tries again.
    case renewalFailed
    /// A subscription was cancelled or resumed, or has another product from the next renewal on.
    case renewalChanged
    /// A subscription becomes more expensive.
    case priceIncreased
    /// An order was refunded.
    case refunded
    /// A refund has taken away what the family shared.
    case revoked
    /// Another account has signed in, or the account has signed out.
    case accountChanged
  }

  /// What has happened.
  package let kind: Kind
  /// More about it, such as `BILLING_RECOVERY`; nil if there is nothing to add.
  package let detail: String?
  /// The transaction as it is now; nil if the notice is about none.
  package let transaction: InAppTransaction?
  /// The product.
  package let productID: String?

  package init(_ kind: Kind, detail: String? = nil, transaction: InAppTransaction? = nil, productID: String? = nil) {
    self.kind = kind
    self.detail = detail
    self.transaction = transaction
    self.productID = productID ?? transaction?.productID
  }

  /// The members of the notice in lines of handlers, and in the values of `notices`.
  package var members: [String: JSONValue] {
    var members: [String: JSONValue] = ["notice": .string(kind.rawValue)]
    members["detail"] = detail.map { .string($0) }
    members["product"] = productID.map { .string($0) }
    members["transaction"] = transaction?.json
    return members
  }
}
