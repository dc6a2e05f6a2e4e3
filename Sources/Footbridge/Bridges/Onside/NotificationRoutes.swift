import BridgeCore
import BridgeRuntime
import HTTPTypes

/// Routes of the notifications that the publisher's backend gets.
enum NotificationRoutes {
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
          "There is no notification \(id). Only those that wait, and those that were delivered since the app was launched, can be sent again."
        )
      }
      return .json(notification)
    },
  ]

  private static var noBackend: ControlProblem {
    .conflict("Nobody gets notifications: set onside.notifications.url in footbridge.yaml.")
  }

  @BridgeActor
  private static func notifier(of request: ControlRequest) async throws -> OnsideNotifier? {
    try await request.bridge(OnsideSession.self).notifier
  }
}
