import BridgeCore
import BridgeRuntime
import OnsideKit

extension OnsideAccount {
  /// The account as the control API tells it.
  var json: JSONValue {
    ["id": .string(id), "name": .string(name), "email": .string(email), "countryCode": .string(countryCode)]
  }
}

extension QueuedTransaction {
  /// The transaction as the control API tells it.
  var members: [String: JSONValue] {
    [
      "id": .string(transaction.id),
      "state": .string(transaction.transactionState.rawValue),
      "productIdentifier": .string(transaction.payment.product.productIdentifier),
      "transactionIdentifier": transaction.transactionIdentifier.map { .string($0) } ?? .null,
      "originalTransactionIdentifier": transaction.originalTransactionIdentifier.map { .string($0) } ?? .null,
      "storefront": .string(transaction.storefront.countryCode),
      "error": transaction.error.map { .string($0.rawValue) } ?? .null,
      "waitingFor": wait.map { .string($0.rawValue) } ?? .null,
    ]
  }
}

extension OnsidePurchase {
  /// The order as the control API tells it.
  var members: [String: JSONValue] {
    func time(_ milliseconds: Double?) -> JSONValue {
      milliseconds.map { .string(BridgeInstant(millisecondsSinceEpoch: $0.rounded(.down)).rfc3339) } ?? .null
    }
    return [
      "id": .string(id),
      "originalId": .string(originalID),
      "account": .string(accountID),
      "product": .string(productIdentifier),
      "type": .string(type.rawValue),
      "price": ["value": .number(price.doubleValue), "currencyCode": .string(price.currencyCode)],
      "countryCode": .string(countryCode),
      "reason": .string(reason.rawValue),
      "purchasedAt": time(purchasedAt),
      "expiresAt": time(expiresAt),
      "revokedAt": time(revokedAt),
      "revocationReason": revocationReason.map { .string($0) } ?? .null,
    ]
  }
}

extension OnsideSubscription {
  /// The subscription as the control API tells it.
  var json: JSONValue {
    [
      "account": .string(accountID), "group": .string(groupIdentifier), "product": .string(productIdentifier),
      "purchase": .string(orderID), "renewsAutomatically": .bool(renewsAutomatically),
      "nextProduct": nextProductIdentifier.map { .string($0) } ?? .null, "inBillingRetry": .bool(isInBillingRetry),
    ]
  }
}
