import BridgeCore
import BridgeRuntime
import OnsideKit

/// The content of a server notification. OnsideKit publishes none: this has the members of App Store Server Notifications V2, as far as the
/// ledger knows them.
enum OnsideNotification {
  /// The value of `version`.
  static let version = "2.0"
  private static let environment = OnsidePurchase.storeKitEnvironment

  /// The notification about a change, before it is signed: `data.transactionInfo` and `data.renewalInfo` become
  /// `data.signedTransactionInfo` and `data.signedRenewalInfo`. `grace` is how long the subscription stays active when its renewal fails, in
  /// milliseconds.
  static func content(
    of change: OnsideLedgerChange, id: String, bundleIdentifier: String, grace: Double, at now: Double
  ) -> JSONValue {
    var data: [String: JSONValue] = [
      "bundleId": .string(bundleIdentifier), "environment": environment,
      "transactionInfo": transaction(of: change, bundleIdentifier: bundleIdentifier, at: now),
    ]
    if change.order.type == .recurringSubscription {
      data["status"] = .number(Double(status(of: change, grace: grace, at: now)))
      if let subscription = change.subscription {
        data["renewalInfo"] = renewal(subscription, of: change, at: now)
      }
    }
    var members: [String: JSONValue] = [
      "notificationType": .string(change.kind.rawValue), "notificationUUID": .string(id), "version": .string(version),
      "signedDate": .number(now.rounded(.down)), "data": .object(data),
    ]
    members["subtype"] = change.subtype.map { .string($0) }
    return .object(members)
  }

  /// The notification that tests whether any arrive. It is about no order.
  static func test(id: String, bundleIdentifier: String, at now: Double) -> JSONValue {
    [
      "notificationType": "TEST", "notificationUUID": .string(id), "version": .string(version), "signedDate": time(now),
      "data": ["bundleId": .string(bundleIdentifier), "environment": environment],
    ]
  }

  /// `status`: 1 active, 2 expired, 3 in billing retry, 4 in the grace period, 5 revoked.
  private static func status(of change: OnsideLedgerChange, grace: Double, at now: Double) -> Int {
    if change.order.revokedAt != nil { return 5 }
    if change.kind == .expired { return 2 }
    if change.subscription?.isInBillingRetry == true { return now < (change.order.expiresAt ?? now) + grace ? 4 : 3 }
    return 1
  }

  private static func transaction(
    of change: OnsideLedgerChange, bundleIdentifier: String, at now: Double
  ) -> JSONValue {
    change.order.storeKitPayload(isShared: change.kind == .revoked, bundleIdentifier: bundleIdentifier, at: now)
  }

  /// `JWSRenewalInfoDecodedPayload`.
  private static func renewal(_ subscription: OnsideSubscription, of change: OnsideLedgerChange, at now: Double)
    -> JSONValue
  {
    let renews = subscription.renewsAutomatically && !change.hasEnded
    var members: [String: JSONValue] = [
      "originalTransactionId": .string(change.order.originalID), "productId": .string(change.order.productIdentifier),
      "autoRenewProductId": .string(subscription.nextProductIdentifier ?? subscription.productIdentifier),
      "autoRenewStatus": renews ? 1 : 0,
      "isInBillingRetryPeriod": .bool(subscription.isInBillingRetry && !change.hasEnded),
      "signedDate": time(now), "environment": environment,
    ]
    if let increase = subscription.priceIncrease {
      members["priceIncreaseStatus"] = increase.status == .agreed ? 1 : 0
      if increase.status == .agreed, !subscription.renewsAtReducedPrice {
        members["renewalPrice"] = .number((increase.price.doubleValue * 1000).rounded())
      }
    }
    if renews { members["renewalDate"] = change.order.expiresAt.map(time) }
    members["expirationIntent"] = change.kind == .expired ? expirationIntent(change.subtype) : nil
    return .object(members)
  }

  /// `expirationIntent`: 1 cancelled, 2 billing error, 3 no consent to a higher price, 4 the product was not available.
  private static func expirationIntent(_ subtype: String?) -> JSONValue {
    switch subtype {
    case "BILLING_RETRY": 2
    case "PRICE_INCREASE": 3
    case "PRODUCT_NOT_FOR_SALE": 4
    default: 1
    }
  }

  private static func time(_ milliseconds: Double) -> JSONValue { .number(milliseconds.rounded(.down)) }
}
