import BridgeServer
import HTTPTypes
import Sessions

/// Routes for the device of a session.
enum DeviceRoutes {
  static let all = [
    ControlRoute(.get, "/sessions/{session}/device") { request in
      .json(try await request.session().device.json)
    },
    ControlRoute(.patch, "/sessions/{session}/device") { request in
      let session = try await request.session()
      session.change(try DeviceNode.changed(session.device, by: try await request.body()))
      return .json(session.device.json)
    },
  ]
}
