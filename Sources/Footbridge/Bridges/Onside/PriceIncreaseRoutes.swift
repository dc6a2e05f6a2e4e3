import BridgeCore
import BridgeRuntime
import Essentials
import HTTPTypes
import OnsideKit

/// Routes of price increases, which need the person's consent.
enum PriceIncreaseRoutes {
  static let all = [
    ControlRoute(.post, "\(path)") { request in
      let members = try await request.members(["price"])
      return try await PurchaseRoutes.change(request, "is not an order of a subscription that renews") {
        onside, id throws in
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
