import BridgeCore
import BridgeRuntime
import BridgeServer
import HTTPTypes
import Sessions

/// Routes of the control API for the dashboard's address.
enum DashboardAddressRoutes {
  /// The maximum length of a link, in bytes.
  private static let linkLimit = 2048

  static func all(_ server: ControlContext) -> [ControlRoute] {
    [
      ControlRoute(.get, "/dashboard") { request in
        guard let origin = server.dashboard.origin else { throw none }
        return .json(["url": .string(origin + "/")])
      },
      ControlRoute(.post, "/dashboard/enter", isReading: true) { request in
        let link = try await request.members(["to"])["to"].map(link)
        guard let entry = server.dashboard.enter(link ?? "/") else { throw none }
        return .json([
          "code": .string(entry.code), "expires": .string(entry.expiry.rfc3339), "url": .string(entry.url),
        ])
      },
    ]
  }

  private static let none = ControlProblem.notFound(
    "This server has no dashboard: it was started with --dashboard-port off.")

  private static func link(_ node: InputNode) throws(OptionError) -> String {
    let text = try node.text()
    // A fragment of RFC 3986, section 3.5.
    let isFragment = text.wholeMatch(of: /\/(?:[A-Za-z0-9\-._~!$&'()*+,;=:@\/?]|%[0-9A-Fa-f]{2})*/) != nil
    guard text.utf8.count <= linkLimit, isFragment else {
      throw node.expected("the part after # of a dashboard address, from / on, of at most \(linkLimit) bytes")
    }
    return text
  }
}
