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
        guard isCold else {
          session.open(opening)
          return .json(address)
        }
        // The message arrives before the end of the app closes the page's socket.
        session.load(opening.path)
        request.sessions.relaunch(session, isKilled: true)
        request.sessions.running(id: session.id)?.launched(by: opening)
        return .json(address)
      },
    ]
  }
}
