import BridgeCore
import BridgeServer
import HTTPTypes
import Sessions

/// Routes for the device of a session.
enum DeviceRoutes {
  static func all(_ server: ControlContext) -> [ControlRoute] {
    [
      ControlRoute(.get, "/sessions/{session}/device") { request in
        .json(try await request.session().device.json)
      },
      ControlRoute(.patch, "/sessions/{session}/device") { request in
        let session = try await request.session()
        session.change(try DeviceNode.changed(session.device, by: try await request.body()))
        return .json(session.device.json)
      },
      ControlRoute(.post, "/sessions/{session}/device/memory-warning") { request in
        try await request.session().killPages()
        return .noContent
      },
      ControlRoute(.post, "/sessions/{session}/device/open") { request in
        let session = try await request.session()
        let (opening, isCold) = try DeviceNode.opening(try await request.body())
        let address: JSONValue = ["url": .string(server.pageOrigin(for: request) + opening.path)]
        if isCold { request.sessions.launch(session, by: opening) } else { session.open(opening) }
        return .json(address)
      },
    ]
  }
}

extension SessionRegistry {
  /// Has a link, a push notification or a shortcut launch the app of a session. Its latest page loads the address of the opening.
  func launch(_ session: Session, by opening: AppOpening) {
    // The message arrives before the end of the app closes the page's socket.
    session.load(opening.path)
    relaunch(session, isKilled: true)
    running(id: session.id)?.launched(by: opening)
  }
}
