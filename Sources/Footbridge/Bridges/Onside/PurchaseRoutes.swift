import BridgeCore
import BridgeRuntime
import HTTPTypes
import OnsideKit

/// Routes of the store's orders and subscriptions.
enum PurchaseRoutes {
  static let all = [
    ControlRoute(.get, "/sessions/{session}/purchases") { request in
      .json(json(try await request.onside().ledger))
    },
    ControlRoute(.post, "/sessions/{session}/purchases") { request in
      let session = try await request.bridge(OnsideSession.self)
      let purchases = try await request.body().seededPurchase().make(in: session)
      return .created(
        ["purchases": .array(purchases.map { .object($0.members) })],
        location: "/sessions/\(request.parameter("session"))/purchases")
    },
    change("refund", "was refunded before") { $0.refund(order: $1) },
    change("expire", "is not an order of an active subscription") { $0.expireSubscription(order: $1) },
    change("renew", "is not an order of a subscription that can renew") { $0.renewSubscription(order: $1) },
    change("cancel", "is not an order of an active subscription") { $0.cancelSubscription(order: $1) },
  ]

  private static func change(
    _ name: String,
    _ obstacle: String,
    _ body: @escaping @Sendable @BridgeActor (Onside, String) -> Bool
  ) -> ControlRoute {
    ControlRoute(.post, "/sessions/{session}/purchases/{purchase}/\(name)") { request in
      try await change(request, obstacle, body)
    }
  }

  /// Changes the ledger about the order that the path names, and answers with the ledger.
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
