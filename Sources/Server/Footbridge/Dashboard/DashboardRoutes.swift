import BridgeCore
import BridgeRuntime
import BridgeServer
import HTTP1
import HTTPTypes
import Sessions
import SiteServer
import WebServer

/// Everything on the dashboard's port: its files, the exchange of a code for a bearer, and the control API for tabs that have one.
///
/// Pages of the site count as hostile. Their origin differs from the dashboard's, so that browsers do not let them read it. The server also
/// refuses their requests, except one that opens the dashboard in a tab.
@BridgeActor
final class DashboardRoutes {
  /// Fields of every answer.
  nonisolated static let fields: HTTPFields = [
    .contentSecurityPolicy:
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; frame-src http://127.0.0.1:* http://localhost:*; frame-ancestors 'none'; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'",
    .crossOriginOpenerPolicy: "same-origin", .crossOriginResourcePolicy: "same-origin",
    .xContentTypeOptions: "nosniff", .cacheControl: "no-store", .referrerPolicy: "no-referrer",
  ]

  let access: DashboardAccess
  private let control: ControlAPI
  private let sessions: SessionRegistry
  private let group: any ServerGroup
  /// Whether browsers see sites under their own origins.
  private let hasSites: Bool
  private var address: Authority?
  private var serverOrigin: String?
  /// The transcript that the dashboard shows first (`footbridge show`); nil for none.
  private let transcript: [UInt8]?
  /// Tells tabs that the server was restarted.
  private let run = BridgeRandom().token()

  init(
    access: DashboardAccess, control: ControlAPI, sessions: SessionRegistry, group: any ServerGroup, hasSites: Bool,
    transcript: [UInt8]?
  ) {
    self.hasSites = hasSites
    self.group = group
    self.transcript = transcript
    self.access = access
    self.control = control
    self.sessions = sessions
  }

  /// The dashboard listens at an address.
  ///
  /// - Parameter server: The server's own address.
  func listens(at origin: String, of server: String) {
    access.listens(at: origin)
    address = HTTPOrigin(origin).flatMap { Authority($0.authority) }
    serverOrigin = server
  }

  /// Redirects from the server's own port to the dashboard.
  func redirect(_ exchange: HTTPExchange) {
    guard exchange.allows([.get, .head]) else { return }
    let fields: HTTPFields = [.cacheControl: "no-store"]
    guard let origin = access.origin, let port = address?.port else {
      return exchange.respondText(
        .notFound, "This server has no dashboard: it was started with --dashboard-port off.", fields: fields)
    }
    // Cookies belong to a host name. If both use the same name, the dashboard gets the cookie of the browser's session.
    let host = exchange.head.authority?.host == "localhost" ? "http://localhost:\(port)" : origin
    exchange.respond(.seeOther, fields: [.cacheControl: "no-store", .location: host + "/"])
  }

  /// Answers a request on the dashboard's port.
  func answer(_ exchange: HTTPExchange) async {
    let head = exchange.head
    guard let authority = head.authority, isOwn(authority) else {
      return exchange.respondText(
        .misdirectedRequest, "This is the dashboard of Footbridge at \(access.origin ?? "another address").")
    }
    guard let path = head.target.path else {
      return exchange.respondText(.badRequest, "The request target has no path.")
    }
    guard Self.comesFromDashboard(head, authority) || Self.opensTab(head, path) else {
      return exchange.respondText(.forbidden, "Only the dashboard itself may ask for this.")
    }
    switch path {
    case "/enter": await exchangeCode(exchange)
    case "/here": await answerHere(exchange)
    case "/transcript": answerTranscript(exchange)
    case _ where path.hasPrefix(ControlAPI.base + "/"):
      guard allows(exchange) else { return }
      guard await group.serves(exchange, nil, .dashboard) else { return }
      await control.answerAuthorized(exchange, path, serverOrigin: serverOrigin, forwards: true)
    default:
      guard exchange.allows([.get, .head]) else { return }
      guard let file = Self.file(at: path) else {
        return respondNothing(exchange, at: path)
      }
      await exchange.serve(file, isConditional: false)
    }
  }

  /// Answers a request for something that is not there: a page for a person, a line for others.
  private func respondNothing(_ exchange: HTTPExchange, at path: String) {
    guard exchange.head.fields[values: .secFetchDest] == ["document"],
      let page = EmbeddedFile.all["dashboard/nothing.html"]
    else { return exchange.respondText(.notFound, "The dashboard has nothing at \(path).") }
    exchange.respond(.notFound, fields: [.contentType: "text/html; charset=utf-8"], body: page.bytes)
  }

  /// A file of the dashboard, or of a bridge's pane.
  private static func file(at path: String) -> EmbeddedFile? {
    if path == "/" { return EmbeddedFile.all["dashboard/index.html"] }
    return ["/dashboard/", "/bridges/"].contains(where: path.hasPrefix)
      ? EmbeddedFile.all[String(path.dropFirst())] : nil
  }

  /// Whether a host name reaches this port without DNS, which an attacker could rebind.
  private func isOwn(_ authority: Authority) -> Bool {
    authority.isLoopback && authority.port == address?.port
  }

  /// Whether a request comes from a page of the dashboard, or from no page at all.
  private static func comesFromDashboard(_ head: RequestHead, _ authority: Authority) -> Bool {
    head.fields[values: .origin].allSatisfy { $0 == "http://\(authority.rawValue)" }
      && head.fields[values: .secFetchSite].allSatisfy { ["same-origin", "none"].contains($0) }
  }

  /// Whether a request opens the dashboard in a tab, from any page. The page cannot read what the tab shows.
  private static func opensTab(_ head: RequestHead, _ path: String) -> Bool {
    head.method == .get && path == "/" && head.fields[values: .origin].isEmpty
      && head.fields[values: .secFetchMode] == ["navigate"] && head.fields[values: .secFetchDest] == ["document"]
  }

  /// `POST /enter` with `{code}`: answers `{bearer}`.
  private func exchangeCode(_ exchange: HTTPExchange) async {
    guard exchange.allows([.post]) else { return }
    guard let bytes = try? await exchange.collectBody(limit: 1024), let body = try? JSONValue(parsing: bytes),
      let code = body["code"]?.stringValue
    else { return exchange.respondProblem(.badRequest, "The body must be JSON: an object with a code.") }
    guard let bearer = access.exchange(code) else {
      return exchange.respondProblem(
        .gone, "This code is unknown, was used, or is older than two minutes. Get a new one: footbridge dashboard")
    }
    respond(["bearer": .string(bearer.reveal())], exchange)
  }

  /// `GET /here`: the session of this browser, the server's address, whether browsers see the site under another one, and the run.
  private func answerHere(_ exchange: HTTPExchange) async {
    guard exchange.allows([.get]), allows(exchange) else { return }
    let value = SessionCookie.value(in: exchange.head.fields, isSecure: exchange.isSecure)
    let id = value.map { SessionKey(cookieValue: $0).id }
    let session = if let id, await isRunning(id) { id } else { String?.none }
    respond(
      [
        "session": session.map { .string($0) } ?? .null,
        "server": serverOrigin.map { .string($0) } ?? .null, "sites": .bool(hasSites),
        "version": .string(FootbridgeVersion.current),
        "transcript": .bool(transcript != nil), "run": .string(run),
      ], exchange)
  }

  private func isRunning(_ id: String) async -> Bool {
    if sessions.running(id: id) != nil { return true }
    return (try? await sessions.ownership.key(ofID: id)) != nil
  }

  /// `GET /transcript`: the transcript, as JSON Lines.
  private func answerTranscript(_ exchange: HTTPExchange) {
    guard exchange.allows([.get]), allows(exchange) else { return }
    guard let transcript else { return exchange.respondProblem(.notFound, "The server was given no transcript.") }
    exchange.respond(.ok, fields: [.contentType: ControlResponse.linesType], body: transcript)
  }

  private func allows(_ exchange: HTTPExchange) -> Bool {
    if access.authorizes(exchange.head.fields) { return true }
    exchange.respondProblem(
      .unauthorized,
      "This tab may not use the dashboard: it was never opened with a code, or a week ago, or the server was restarted without its state. Get a new address: footbridge dashboard",
      fields: [.wwwAuthenticate: "Bearer realm=\"footbridge dashboard\""])
    return false
  }

  private func respond(_ value: JSONValue, _ exchange: HTTPExchange) {
    exchange.respond(.ok, fields: [.contentType: "application/json"], body: Array((value.jsonText + "\n").utf8))
  }
}

extension HTTPField.Name {
  /// `Cross-Origin-Opener-Policy` (HTML standard): other tabs get no reference to this one.
  static let crossOriginOpenerPolicy = named("Cross-Origin-Opener-Policy")
}
