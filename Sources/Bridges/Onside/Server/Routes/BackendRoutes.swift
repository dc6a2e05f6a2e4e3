import BridgeCore
import BridgeRuntime
import BridgeServer
import HTTPTypes
import Sessions

/// Routes for the publisher's backend: its notifications, and the keys that sign notifications and histories.
enum BackendRoutes {
  static let all = [
    ControlRoute(.get, "/sessions/{session}/notifications") { request in
      .json(["notifications": .array(try await notifier(of: request)?.list ?? [])])
    },
    ControlRoute(.post, "/sessions/{session}/notifications/test") { request in
      guard let notifier = try await notifier(of: request) else { throw noBackend }
      return .json(notifier.sendTest())
    },
    ControlRoute(.post, "/sessions/{session}/notifications/{notification}/resend") { request in
      guard let notifier = try await notifier(of: request) else { throw noBackend }
      let id = request.parameter("notification")
      guard let notification = notifier.resend(id) else {
        throw ControlProblem.notFound(
          "There is no notification \(id). Only waiting notifications, and notifications that were delivered since the app was launched, can be sent again."
        )
      }
      return .json(notification)
    },
    ControlRoute(.get, "/signing-keys") { request in
      let keys = try keys(request)
      await keys.refresh()
      return .json(keys.json)
    },
    ControlRoute(.post, "/signing-keys") { request in
      let keys = try keys(request)
      let seconds = try await request.members(["publishFormerFor"])["publishFormerFor"]?
        .integer(in: SigningKeys.secondsPublished)
      do {
        try await keys.rotate(publishingFormerFor: seconds ?? SigningKeys.usualSecondsPublished)
      } catch {
        request.sessions.server.logger.error("The new signing key cannot be stored: \(error)")
        // A file can be written and not be synced.
        throw ControlProblem.insufficientStorage(
          "The former key still signs. It is unknown whether the new one is stored for the next start. The server's log says why."
        )
      }
      return .created(keys.json, location: "/signing-keys")
    },
  ]

  private static var noBackend: ControlProblem {
    .conflict("Nobody gets notifications: set onside.notifications.url in footbridge.yaml.")
  }

  @BridgeActor
  private static func notifier(of request: ControlRequest) async throws -> OnsideNotifier? {
    try await request.bridge(OnsideSession.self).notifier
  }

  @BridgeActor
  private static func keys(_ request: ControlRequest) throws -> SigningKeys {
    guard let keys = request.sessions.server.part(SigningKeys.self, of: "onside") else {
      throw ControlProblem.notFound("The bridge onside is switched off.")
    }
    return keys
  }
}
