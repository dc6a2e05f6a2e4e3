import BridgeCore
import BridgeRuntime
import OnsideKit

/// The store's settings in one session.
enum SettingsRoutes {
  static let all = [
    ControlRoute(.get, "/sessions/{session}/settings") { request in
      .json(try await request.onside().settings.json)
    },
    ControlRoute(.patch, "/sessions/{session}/settings") { request in
      let onside = try await request.onside()
      let settings = try await request.body().onsideSettings(withCalls: true)
      settings.apply(to: &onside.settings)
      return .json(onside.settings.json)
    },
  ]
}

extension ControlRequest {
  /// The store of the session that the path names.
  func onside() async throws -> Onside { try await bridge(OnsideSession.self).onside }
}
