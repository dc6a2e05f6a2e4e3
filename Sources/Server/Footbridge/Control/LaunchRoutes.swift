import BridgeServer
import HTTPTypes
import Sessions
import SiteServer

/// Routes for what native sets before the pages of a session.
enum LaunchRoutes {
  static func all(_ launches: Launches) -> [ControlRoute] {
    [
      ControlRoute(.put, "/sessions/{session}/launch") { request in
        let session = try await request.session()
        launches.set(try LaunchData(try await request.body()), of: session.id)
        return .noContent
      },
      ControlRoute(.delete, "/sessions/{session}/launch") { request in
        launches.reset(try await request.session().id)
        return .noContent
      },
    ]
  }
}
