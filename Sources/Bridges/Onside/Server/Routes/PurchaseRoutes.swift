import BridgeCore
import BridgeRuntime
import BridgeServer
import Essentials
import HTTPTypes
import OnsideKit
import Sessions

/// Routes of the store's orders and subscriptions.
enum PurchaseRoutes {
  static let all = [
    ControlRoute(.get, "/sessions/{session}/purchases") { request in
      .json(json(try await request.onside().ledger))
    },
    ControlRoute(.post, "/sessions/{session}/purchases") { request in
      let session = try await request.bridge(OnsideSession.self)
      let purchase = try await request.body().seededPurchase()
      if let obstacle = try purchase.obstacle(in: session) { throw ControlProblem.conflict(obstacle.description) }
      let purchases = try purchase.make(in: session)
      return .created(
        ["purchases": .array(purchases.map { .object($0.members) })],
        location: "/sessions/\(request.parameter("session"))/purchases")
    },
    change("refund", "was refunded before") { $0.refund(order: $1) },
    change("expire", "is not an order of an active subscription") { $0.expireSubscription(order: $1) },
    change("renew", "is not an order of a subscription that can renew") { $0.renewSubscription(order: $1) },
    change("cancel", "is not an order of an active subscription") { $0.cancelSubscription(order: $1) },
    change("resume", "is not an order of an active subscription") { $0.resumeSubscription(order: $1) },
    ControlRoute(.delete, "/sessions/{session}/purchases/{purchase}") { request in
      let id = request.parameter("purchase")
      guard try await request.onside().deletePurchase(order: id) else {
        throw ControlProblem.notFound("There is no purchase \(id).")
      }
      return .noContent
    },
    ControlRoute(.delete, "/sessions/{session}/purchases") { request in
      try await request.onside().clearTransactions()
      return .noContent
    },
    ofProduct("expire") { $0.expireSubscription(order: $1) },
    ofProduct("renew") { $0.renewSubscription(order: $1) },
    ofProduct("cancel") { $0.cancelSubscription(order: $1) },
    ofProduct("resume") { $0.resumeSubscription(order: $1) },
  ]

  /// Changes an account's subscription of a product. By default, the account is the signed-in one or, if nobody is signed in, the first
  /// with this subscription.
  private static func ofProduct(
    _ name: String,
    _ body: @escaping @Sendable @BridgeActor (Onside, String) -> Bool
  ) -> ControlRoute {
    ControlRoute(.post, "/sessions/{session}/subscriptions/{product}/\(name)") { request in
      let onside = try await request.onside()
      let product = request.parameter("product")
      let account = try await request.members([OnsideMember.account.rawValue])[OnsideMember.account.rawValue]?
        .accountID(among: onside.accounts.map(\.id))
      let wanted = account ?? onside.account?.id
      let subscription = onside.ledger.subscriptions.first {
        $0.productIdentifier == product && (wanted == nil || $0.accountID == wanted)
      }
      guard let subscription else {
        let problem = onside.catalogue.problem(with: product).map { " \($0)" } ?? ""
        throw ControlProblem.notFound("\(wanted ?? "Nobody") has no active subscription of \(product).\(problem)")
      }
      guard body(onside, subscription.orderID) else {
        throw ControlProblem.conflict("The subscription of \(product) cannot \(name) now.")
      }
      return .json(json(onside.ledger))
    }
  }

  private static func change(
    _ name: String,
    _ obstacle: String,
    _ body: @escaping @Sendable @BridgeActor (Onside, String) -> Bool
  ) -> ControlRoute {
    ControlRoute(.post, "/sessions/{session}/purchases/{purchase}/\(name)") { request in
      try await change(request, obstacle, body)
    }
  }

  /// Changes the order in the path, and answers with the ledger.
  @BridgeActor
  static func change(
    _ request: ControlRequest, _ obstacle: String, _ body: (Onside, String) throws -> Bool
  ) async throws -> ControlResponse {
    let onside = try await request.onside()
    let id = request.parameter("purchase")
    guard onside.ledger[id] != nil else { throw ControlProblem.notFound("There is no purchase \(id).") }
    guard try body(onside, id) else { throw ControlProblem.conflict("\(id) \(obstacle).") }
    return .json(json(onside.ledger))
  }

  private static func json(_ ledger: OnsideLedger) -> JSONValue {
    [
      "purchases": .array(ledger.purchases.map { .object($0.members) }),
      "subscriptions": .array(ledger.subscriptions.map(\.json)),
    ]
  }
}

/// Routes of price increases that need the person's consent.
enum PriceIncreaseRoutes {
  static let all = [
    ControlRoute(.post, "\(path)") { request in
      let members = try await request.members(["price"])
      let obstacle = "is not an order of a subscription that renews with the same product"
      return try await PurchaseRoutes.change(request, obstacle) { onside, id throws in
        guard let present = onside.renewalPrice(order: id) else { return false }
        return onside.requestPriceIncrease(order: id, to: try price(members["price"], above: present))
      }
    },
    answer("consent") { $0.consentToPriceIncrease(order: $1) },
    answer("decline") { $0.declinePriceIncrease(order: $1) },
  ]

  private static let path = "/sessions/{session}/purchases/{purchase}/price-increase"

  private static func answer(
    _ name: String, _ body: @escaping @Sendable @BridgeActor (Onside, String) -> Bool
  ) -> ControlRoute {
    ControlRoute(.post, "\(path)/\(name)") { request in
      try await PurchaseRoutes.change(request, "has no price increase that waits for consent", body)
    }
  }

  /// Reads the new price, in the currency of the present one.
  private static func price(_ node: InputNode?, above present: OnsidePrice) throws(OptionError) -> OnsidePrice {
    guard let node else { throw OptionError("The body must have the member price: the new price, such as 12.99.") }
    let json = try node.json()
    let text = json.stringValue ?? json.numberValue.map { "\($0)" }
    guard let value = text.flatMap({ Decimal(priceText: $0) }), value > present.value else {
      throw node.expected("a price above \(present.value) \(present.currencyCode), the present one")
    }
    return OnsidePrice(value: value, currencyCode: present.currencyCode)
  }
}
