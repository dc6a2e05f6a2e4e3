package import BridgeCore
import BridgeRuntime
package import OnsideKit

/// The members of orders and transactions that have the same names in tests' requests and in answers of the control API.
///
/// The others differ on purpose. A transaction in the queue has `productIdentifier`, `transactionIdentifier` and
/// `originalTransactionIdentifier`, as in the contract, and `state` for the contract's `transactionState`. An order has an `id` and an
/// `originalId` of its own.
package enum OnsideMember: String, CaseIterable {
  case product, account, quantity, purchasedAt, finished, waitingFor, error, appAccountToken, offer
}

extension OnsideAccount {
  /// The account as the control API shows it.
  package var json: JSONValue {
    ["id": .string(id), "name": .string(name), "email": .string(email), "countryCode": .string(countryCode)]
  }
}

extension QueuedTransaction {
  /// The transaction as the control API shows it.
  package var members: [String: JSONValue] {
    [
      "id": .string(transaction.id.text),
      "state": .string(transaction.transactionState.rawValue),
      "productIdentifier": .string(transaction.payment.product.productIdentifier),
      "transactionIdentifier": transaction.transactionIdentifier.map { .string($0) } ?? .null,
      "originalTransactionIdentifier": transaction.originalTransactionIdentifier.map { .string($0) } ?? .null,
      "storefront": .string(transaction.storefront.countryCode),
      OnsideMember.error.rawValue: transaction.error.map { .string($0.rawValue) } ?? .null,
      OnsideMember.waitingFor.rawValue: wait.map { .string($0.rawValue) } ?? .null,
    ]
  }
}

extension OnsidePurchase {
  /// The order as the control API shows it.
  package var members: [String: JSONValue] {
    func time(_ milliseconds: Double?) -> JSONValue {
      milliseconds.map { .string(BridgeInstant(millisecondsSinceEpoch: $0.rounded(.down)).rfc3339) } ?? .null
    }
    return [
      "id": .string(id),
      "originalId": .string(originalID),
      OnsideMember.account.rawValue: .string(accountID),
      OnsideMember.product.rawValue: .string(productIdentifier),
      "type": .string(type.rawValue),
      "price": ["value": .number(price.doubleValue), "currencyCode": .string(price.currencyCode)],
      "countryCode": .string(countryCode),
      "reason": .string(reason.rawValue),
      OnsideMember.purchasedAt.rawValue: time(purchasedAt),
      "expiresAt": time(expiresAt),
      "revokedAt": time(revokedAt),
      "revocationReason": revocationReason.map { .string($0) } ?? .null,
      OnsideMember.appAccountToken.rawValue: appAccountToken.map { .string($0) } ?? .null,
    ]
  }
}

extension OnsideSubscription {
  /// The subscription as the control API shows it.
  package var json: JSONValue {
    [
      OnsideMember.account.rawValue: .string(accountID), "group": .string(groupIdentifier),
      OnsideMember.product.rawValue: .string(productIdentifier),
      "purchase": .string(orderID), "renewsAutomatically": .bool(renewsAutomatically),
      "nextProduct": nextProductIdentifier.map { .string($0) } ?? .null, "inBillingRetry": .bool(isInBillingRetry),
      OnsideMember.offer.rawValue: offerID.map { .string($0) } ?? .null,
      "priceIncrease": priceIncrease.map(\.json) ?? .null,
    ]
  }
}

extension OnsidePriceIncrease {
  /// The increase as the control API shows it.
  fileprivate var json: JSONValue {
    [
      "price": ["value": .number(price.doubleValue), "currencyCode": .string(price.currencyCode)],
      "status": .string(status.rawValue),
    ]
  }
}
