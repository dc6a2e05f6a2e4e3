import BridgeCore
import BridgeRuntime
import BridgeServer
import HTTP1
import Sessions
import SiteServer

/// The route that creates one-time codes. Browsers enter a session with them.
enum EntryRoutes {
  /// The maximum lifetime of a code, in milliseconds: a day.
  private static let longestLifetime = 86_400_000
  /// The default lifetime of a code.
  private static let usualLifetime = Duration.seconds(600)

  static func all(_ server: ControlContext) -> [ControlRoute] {
    [
      ControlRoute(.post, "/sessions/{session}/enter", isReading: true) { request in
        let session = try await request.session()
        let members = try await request.members(["to", "lifetime", "cookie", "stage"])
        let target = try members["to"].map(target) ?? .root
        let lifetime = try members["lifetime"].map { Duration.milliseconds(try $0.integer(in: 1...longestLifetime)) }
        let cookieValue = try members["cookie"].map { try readCookie($0, of: session) } ?? session.cookieValue
        guard let cookieValue else {
          throw ControlProblem.conflict(
            "The server has restarted, and keeps no cookies. Send the value of the session's cookie as cookie, or open a page of the session first."
          )
        }
        if try members["stage"]?.bool() ?? false { try openStage(session, server) }
        let entry = server.entryCodes.issue(
          for: cookieValue, lifetime: lifetime ?? usualLifetime,
          prefix: request.sessions.ownership.isShared ? session.id : "")
        let query = target == .root ? "" : "?to=" + PercentEncoding.encodeQueryItem(target.location)
        return .json([
          "code": .string(entry.code), "expires": .string(entry.expiry.rfc3339),
          "url": .string("\(server.pageOrigin(for: request))\(OwnPath.entry)\(entry.code)\(query)"),
        ])
      }
    ]
  }

  /// From now on, the dashboard's own frame counts as the session's main frame.
  @BridgeActor
  private static func openStage(_ session: Session, _ server: ControlContext) throws(ControlProblem) {
    let origins = server.dashboard.origins
    guard !origins.isEmpty else {
      throw ControlProblem.conflict(
        "This server has no dashboard, so there is no stage: it was started with --dashboard-port off.")
    }
    session.stageOrigins = origins
  }

  private static func target(_ node: InputNode) throws(OptionError) -> EntryTarget {
    guard let target = EntryTarget(try node.text()) else { throw node.expected(EntryTarget.requirement) }
    return target
  }

  private static func readCookie(_ node: InputNode, of session: Session) throws(OptionError) -> Secret {
    let value = try node.text()
    guard SessionKey(cookieValue: value).id == session.id else { throw node.expected("the cookie of this session") }
    return Secret(value)
  }
}
