import BridgeCore
import BridgeRuntime
import BridgeServer
import OnsideKit

/// Routes of the store in one session: its products, its accounts and its settings.
enum StoreRoutes {
  static let all = [
    ControlRoute(.get, "/sessions/{session}/products", query: ["country"]) { request in
      let onside = try await request.onside()
      // An item without a value is not a country code.
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
    ControlRoute(.get, "/sessions/{session}/settings") { request in
      .json(try await request.onside().settings.json)
    },
    ControlRoute(.patch, "/sessions/{session}/settings") { request in
      let onside = try await request.onside()
      let changes = try await request.body().onsideSettings(withCalls: true)
      var settings = onside.settings
      changes.apply(to: &settings)
      try ControlProblem.refusing { () throws(OnsideSettingsError) in try settings.checkErrors() }
      onside.settings = settings
      return .json(onside.settings.json)
    },
    ControlRoute(.delete, "/sessions/{session}/settings") { request in
      let session = try await request.bridge(OnsideSession.self)
      session.restoreSettings()
      return .json(session.onside.settings.json)
    },
  ]
}

extension ControlProblem {
  /// Checks the errors that a test sets. An error that the session's contract does not have is a conflict (409).
  static func refusing(_ check: () throws(OnsideSettingsError) -> Void) throws(ControlProblem) {
    do throws(OnsideSettingsError) {
      try check()
    } catch {
      throw .conflict(error.description)
    }
  }
}

extension ControlRequest {
  /// The store of the session that the path names.
  func onside() async throws -> Onside { try await bridge(OnsideSession.self).onside }
}
