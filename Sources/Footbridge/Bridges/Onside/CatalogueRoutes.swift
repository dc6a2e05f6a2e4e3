import BridgeCore
import BridgeRuntime
import OnsideKit

/// Routes of what the store sells, and of who can sign in.
enum CatalogueRoutes {
  static let all = [
    ControlRoute(.get, "/sessions/{session}/products", query: ["country"]) { request in
      let onside = try await request.onside()
      // An item without a value is no country.
      let country = request.query["country"] ?? (request.query.names.contains("country") ? "" : nil)
      guard let offering = onside.offering(in: country) else {
        throw ControlProblem.badRequest("country must be an ISO 3166 country code. It is \(country ?? "").")
      }
      let products = offering.products.map { type, product in
        JSONValue.object((product.objectValue ?? [:]).merging(["type": .string(type.rawValue)]) { $1 })
      }
      return .json([
        "countryCode": .string(offering.countryCode), "products": .array(products),
        "unavailable": .array(offering.unavailable.map { .string($0) }),
      ])
    },
    ControlRoute(.get, "/sessions/{session}/accounts") { request in
      .json(["accounts": .array(try await request.onside().accounts.map(\.json))])
    },
  ]
}
