import InAppPurchases
import BridgeCore
import BridgeRuntime
import BridgeServer
import Essentials
import HTTPTypes
import Sessions
import WebServer

/// The validator of receipts that an app names as `store.validator`: it answers what cordova-plugin-purchase asks (`validator-request.ts`,
/// `validator-response.ts`), for the session of the page.
///
/// What it says comes from the session's store as it is now. So a receipt proves nothing here; it only has to be one of this account.
@BridgeActor
enum CordovaPurchaseValidator {
  /// The path below `/__footbridge/`.
  nonisolated static let path = "cordova-purchase/validator"
  /// The maximum size of a request in bytes. A receipt has the whole history of an account.
  private static let bodyLimit = 16 << 20
  /// The kind of transactions of the plugin's first interface, and the platform.
  private static let platform = JSONValue.string("ios-appstore")

  /// Why a receipt is not valid.
  struct Refusal: Error {
    /// The codes that the plugin's validators have.
    enum Code: Double {
      /// The request, or the receipt in it, has another form.
      case invalidPayload = 6_778_001
      /// The store does not answer.
      case connectionFailed = 6_778_002
      /// The subscription has ended.
      case expired = 6_778_003
    }

    let code: Code
    let message: String

    init(_ code: Code, _ message: String) { (self.code, self.message) = (code, message) }
  }

  /// Serves the validator, once for all bridges with the preset.
  static func serve(on server: ServerContext) {
    if server.resources.contains(where: { $0.path == path }) { return }
    server.serve(path, purpose: "the validator of receipts for the preset cordova-purchase") {
      [weak server] exchange, rest in
      guard rest.isEmpty else { return exchange.respondText(.notFound, "Footbridge has nothing at this path.") }
      await answer(exchange, server)
    }
  }

  private static func answer(_ exchange: HTTPExchange, _ server: ServerContext?) async {
    guard exchange.head.method == .post else {
      return exchange.respondProblem(.methodNotAllowed, "Use POST for a receipt.", fields: [.allow: "POST"])
    }
    do {
      guard let host = try await host(of: exchange, server) else {
        return exchange.respondProblem(
          .notFound,
          "Only pages of a session with the preset cordova-purchase have a validator: the request has no such cookie.")
      }
      guard let bytes = try await exchange.collectBody(limit: bodyLimit) else {
        return exchange.respondProblem(.contentTooLarge, "A receipt may have at most \(bodyLimit) bytes.")
      }
      let payload = await payload(for: (try? JSONValue(parsing: bytes)) ?? .null, host)
      exchange.respond(
        .ok, fields: [.contentType: "application/json", .cacheControl: "no-store"], body: Array(payload.jsonText.utf8))
    } catch is HTTPExchangeError {
      // The page has gone.
    } catch {
      exchange.respondProblem(
        .serviceUnavailable, "The session cannot be reached here now.", fields: [.retryAfter: "1"])
    }
  }

  /// The native side of the preset in the session of the page that asks.
  private static func host(of exchange: HTTPExchange, _ server: ServerContext?) async throws -> CordovaPurchaseHost? {
    guard let value = SessionCookie.value(in: exchange.head.fields, isSecure: exchange.isSecure),
      let session = try await server?.sessions?.known(cookieValue: value)
    else { return nil }
    return session.bridges.lazy.compactMap { ($0 as? DeclaredSession)?.presetHost as? CordovaPurchaseHost }.first
  }

  private static func payload(for request: JSONValue, _ host: CordovaPurchaseHost) async -> JSONValue {
    do throws(Refusal) {
      return ["ok": true, "data": try await data(for: request, host)]
    } catch {
      return [
        "ok": false, "code": .number(error.code.rawValue), "message": .string(error.message),
        "data": ["latest_receipt": true],
      ]
    }
  }

  private static func data(for request: JSONValue, _ host: CordovaPurchaseHost) async throws(Refusal) -> JSONValue {
    guard let transaction = request["transaction"], transaction["type"] == platform,
      let receipt = transaction["appStoreReceipt"]?.stringValue
    else {
      throw Refusal(.invalidPayload, "The request has no transaction of the type ios-appstore with an appStoreReceipt.")
    }
    guard let store = host.store else { throw Refusal(.connectionFailed, InAppError.noStore.description) }
    let known: Set<String>
    do throws(InAppError) {
      known = Set(orders(of: try await store.history()) ?? [])
    } catch {
      throw Refusal(error.code == .notSignedIn ? .invalidPayload : .connectionFailed, error.description)
    }
    guard let history = Data(base64Encoded: receipt), let own = orders(of: String(decoding: history, as: UTF8.self))
    else { throw Refusal(.invalidPayload, "The receipt is none that this app has got from Footbridge.") }
    guard known.isSuperset(of: own) else {
      throw Refusal(.invalidPayload, "The receipt has orders that the account does not have.")
    }
    let purchases = VerifiedPurchase.all(of: store.transactions)
    let product = request["id"]?.stringValue
    if request["type"] == "paid subscription", let last = purchases.last(where: { $0.order.productID == product }),
      last.isExpired
    {
      throw Refusal(.expired, "The subscription has expired.")
    }
    return [
      "id": .string(product ?? store.bundleIdentifier), "latest_receipt": true, "date": .string(host.now.rfc3339),
      "collection": .array(purchases.map(\.json)),
      "transaction": [
        "type": platform, "bundle_id": .string(store.bundleIdentifier),
        "in_app": .array(purchases.map(\.native)),
      ],
    ]
  }

  /// The ids of the orders in a signed history; nil if the text is none.
  private static func orders(of history: String) -> [String]? {
    CompactJWS(history)?.payload?["transactions"]?.arrayValue?.compactMap { $0["order_id"]?.stringValue }
  }
}

/// What an account has of a product: its latest order, as the plugin's receipts have it. Consumables are in a receipt until they are finished.
private struct VerifiedPurchase {
  let order: InAppTransaction

  /// The purchases of an account, in the order of their latest orders.
  static func all(of orders: [InAppTransaction]) -> [VerifiedPurchase] {
    var latest: [String: InAppTransaction] = [:]
    for order in orders where order.kind != .consumable || !order.isFinished { latest[order.originalID] = order }
    return latest.values.sorted { $0.purchasedAt < $1.purchasedAt }.map { VerifiedPurchase(order: $0) }
  }

  var isExpired: Bool {
    order.revokedAt != nil || (order.kind == .recurringSubscription && order.subscription?.isActive != true)
  }

  /// As `VerifiedPurchase` of `verified-receipt.ts`.
  var json: JSONValue {
    var members: [String: JSONValue] = [
      "id": .string(order.productID), "platform": "ios-appstore", "purchaseId": .string(order.originalID),
      "transactionId": .string(order.id), "purchaseDate": Self.time(order.originalPurchasedAt),
      "isAcknowledged": .bool(order.isFinished), "quantity": 1,
    ]
    if isExpired { members["isExpired"] = true }
    if order.revokedAt != nil { members["cancelationReason"] = "Customer" }
    if order.isRenewal { members["lastRenewalDate"] = Self.time(order.purchasedAt) }
    if let end = order.expiresAt { members["expiryDate"] = Self.time(end) }
    guard order.kind == .recurringSubscription else { return .object(members) }
    let state = order.subscription
    members["isExpired"] = .bool(isExpired)
    members["renewalIntent"] = state?.renews == true ? "Renew" : "Lapse"
    members["isBillingRetryPeriod"] = .bool(state?.isInBillingRetry ?? false)
    members["isTrialPeriod"] = .bool(state?.isIntroductory == true && state?.offerMode == .free)
    members["isIntroPeriod"] = .bool(state?.isIntroductory == true && state?.offerMode != .free)
    members["discountId"] = state?.offerID.map { .string($0) }
    return .object(members)
  }

  /// As Apple's `in_app` of a verified receipt: numbers are texts.
  var native: JSONValue {
    var members: [String: JSONValue] = [
      "product_id": .string(order.productID), "transaction_id": .string(order.id), "quantity": "1",
      "original_transaction_id": .string(order.originalID), "purchase_date_ms": Self.text(order.purchasedAt),
      "original_purchase_date_ms": Self.text(order.originalPurchasedAt),
    ]
    members["expires_date_ms"] = order.expiresAt.map(Self.text)
    members["cancellation_date_ms"] = order.revokedAt.map(Self.text)
    return .object(members)
  }

  private static func time(_ instant: BridgeInstant) -> JSONValue { .number(instant.millisecondsSinceEpoch.rounded()) }

  private static func text(_ instant: BridgeInstant) -> JSONValue {
    .string(String(Int64(instant.millisecondsSinceEpoch)))
  }
}
