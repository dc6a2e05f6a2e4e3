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
  /// Runs a check of errors that a test sets. One that the session's contract does not have is in conflict with the session.
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
