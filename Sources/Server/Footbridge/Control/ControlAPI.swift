import BridgeCore
import BridgeRuntime
import BridgeServer
import Cryptography
import DeclaredServer
import HTTPTypes
import Logging
import Sessions
import SiteServer
import WebServer

/// The control API. With it, a test decides what happens in its sessions.
///
/// Every route needs the bearer token of the server; those of a session take the session's own, too. Errors are problem details (RFC 9457). A request is answered after the store has written its change.
@BridgeActor
final class ControlAPI {
  /// The path of the API.
  nonisolated static let base = ControlRoute.base

  private let token: ControlToken
  private let sessions: SessionRegistry
  private let logger: Logger
  private let router: ControlRouter
  private let group: any ServerGroup
  private let clock: any BridgeClock
  /// Whether the server stops, and begins nothing more.
  var hasStopped = false
  private var keys = IdempotencyKeys()

  init(
    token: ControlToken, sessions: SessionRegistry, bridges: BridgeList, context: ControlContext,
    clock: any BridgeClock = SystemBridgeClock(), logger: Logger
  ) {
    self.clock = clock
    group = context.group
    self.token = token
    self.sessions = sessions
    self.logger = logger
    router = ControlRouter(Self.routes(of: bridges, context))
  }

  /// All routes. The first match wins.
  nonisolated static func routes(of bridges: BridgeList, _ context: ControlContext) -> [ControlRoute] {
    ownRoutes(context) + SheetRoutes.all(of: bridges)
      + bridges.all.flatMap { ($0 as? any ConfigurableBridge)?.routesWhileEnabled ?? [] }
  }

  private nonisolated static func ownRoutes(_ context: ControlContext) -> [ControlRoute] {
    DescriptionRoutes.all + SessionRoutes.all(context) + SnapshotRoutes.all + EntryRoutes.all(context) + ClockRoutes.all
      + JournalRoutes.all + TranscriptRoutes.all(context) + JournalWaitRoute.all + LintRoutes.all + RuleRoutes.all
      + PageRoutes.all + DeviceRoutes.all(context) + BridgeRoutes.all
      + DeclaredRoutes.all + DashboardAddressRoutes.all(context) + LaunchRoutes.all(context.launches)
  }

  /// Answers a request for a path at or below ``base``.
  ///
  /// - Parameter isForwarded: Whether another server has passed it on.
  func answer(_ exchange: HTTPExchange, _ path: String, isForwarded: Bool = false) async {
    if let problem = problem(of: exchange.head.fields, path) { return refuse(exchange, problem) }
    await answerAuthorized(exchange, path, forwards: !isForwarded)
  }

  /// Why a request may not use a path, by its token; nil if it may. The token of a session is good for what is below this session.
  private func problem(of fields: HTTPFields, _ path: String) -> ControlProblem? {
    if token.authorizes(fields) { return nil }
    let bearer = ControlToken.bearer(in: fields)
    guard let id = bearer.flatMap(sessions.session(withToken:)) else {
      let isOfSession = bearer.flatMap(SessionToken.session(of:)) != nil
      return ControlProblem(
        status: .unauthorized,
        detail: isOfSession
          ? "This token of a session has expired: the session has ended, or runs at another server."
          : "The control API needs its token: send Authorization: Bearer TOKEN. The server prints the token when it starts, unless one was set.",
        fields: [.wwwAuthenticate: "Bearer realm=\"footbridge\""])
    }
    let own = "\(Self.base)/sessions/\(id)"
    if path == own || path.hasPrefix(own + "/") { return nil }
    return ControlProblem(
      status: .forbidden,
      detail:
        "This token is good for one session alone: for \(own) and what is below it. The rest needs the server's token.")
  }

  /// Answers a request without checking the token: the caller has already checked its permission.
  ///
  /// - Parameters:
  ///   - serverOrigin: The server's own address; nil for the one that the request has come to.
  ///   - forwards: Whether the request may be passed on to another server that owns the session.
  func answerAuthorized(
    _ exchange: HTTPExchange, _ path: String, serverOrigin: String? = nil, forwards: Bool = false
  ) async {
    do {
      try await route(exchange, String(path.dropFirst(Self.base.count)), serverOrigin)
    } catch let problem as ControlProblem {
      refuse(exchange, problem)
    } catch let error as OptionError {
      refuse(exchange, .unprocessable(error.description))
    } catch let error as SessionElsewhere {
      if forwards, !exchange.hasBegun {
        // The request has had no effect yet: a route looks up the session first.
        let destination: RequestDestination = serverOrigin == nil ? .own : .dashboard
        guard await group.serves(exchange, needing: error.key, destination) else { return }
        return await answerAuthorized(exchange, path, serverOrigin: serverOrigin)
      }
      refuse(
        exchange,
        ControlProblem(
          status: .serviceUnavailable, detail: error.description, fields: [.retryAfter: "1"]))
    } catch is HTTPExchangeError {
      // The client has gone.
    } catch let error as UnreadableSession {
      logger.error("The state of a session cannot be read: \(error)")
      refuse(
        exchange,
        ControlProblem(
          status: .serviceUnavailable, detail: UnreadableSession.text, fields: [.retryAfter: "1"]))
    } catch is StoreUnavailable {
      refuse(
        exchange,
        ControlProblem(status: .serviceUnavailable, detail: StoreUnavailable.text, fields: [.retryAfter: "1"]))
    } catch {
      logger.error("A request to the control API failed: \(error)")
      refuse(
        exchange,
        ControlProblem(
          status: .internalServerError, detail: "The server could not process this request. Its log says why."))
    }
  }

  private func route(_ exchange: HTTPExchange, _ path: String, _ serverOrigin: String?) async throws {
    switch router.match(exchange.head.method, path) {
    case .none: throw ControlProblem.notFound("The control API has nothing at \(path.isEmpty ? "/" : path).")
    case .otherMethods(let methods):
      let allowed = methods.map(\.rawValue).joined(separator: ", ")
      throw ControlProblem(
        status: .methodNotAllowed, detail: "\(exchange.head.method.rawValue) is not allowed here. Use \(allowed).",
        fields: [.allow: allowed])
    case .route(let route, let parameters):
      var request = ControlRequest(
        exchange: exchange, parameters: parameters, sessions: sessions, bodyLimit: route.bodyLimit,
        serverOrigin: serverOrigin)
      try request.checkQuery(route.query)
      if !route.isReading {
        // Before the route finds its session: that one could end while the body arrives.
        request.bytes = try await request.collectBytes()
        guard await group.waitForLease() else { throw ControlProblem.noLease }
      }
      if hasStopped { throw ControlProblem.stopping }
      if let id = parameters["session"] { await sessions.running(id: id)?.arrivals.settled() }
      do {
        if let name = HTTPField.Name("Idempotency-Key"), let key = exchange.head.fields[name], !route.isReading {
          send(try await answerOnce(request, route, key: key), exchange)
        } else {
          send(try await answerAndStore(request, route), exchange)
        }
      } catch let error as SessionElsewhere {
        // The body is read again when the request is passed on.
        if let bytes = request.bytes, !bytes.isEmpty { exchange.putBack([bytes]) }
        throw error
      }
    }
  }

  /// Runs the route once. A later request with the same key gets the same answer.
  private func answerOnce(_ request: ControlRequest, _ route: ControlRoute, key: String) async throws -> ControlResponse
  {
    guard (1...255).contains(key.utf8.count) else {
      throw ControlProblem.badRequest("Idempotency-Key must have 1 to 255 bytes.")
    }
    let head = request.exchange.head
    let hash = SHA256.hash(
      Array("\(head.method.rawValue) \(head.target.path ?? "")\n".utf8) + (try await request.collectBytes()))
    switch keys.begin(key, hash, at: clock.now) {
    case .repeated(let answer): return try answer.get()
    case .underWay:
      var problem = ControlProblem.conflict(
        "A request with the Idempotency-Key \(key) is being answered. Send it again for its answer.")
      problem.fields = [.retryAfter: "1"]
      throw problem
    case .otherRequest:
      throw ControlProblem.unprocessable(
        "The Idempotency-Key \(key) belongs to another request. Use another key, or send the same method, path and body."
      )
    case .new: break
    }
    do {
      let response = try await answerAndStore(request, route)
      keys.finish(key, with: .success(response))
      return response
    } catch let problem as ControlProblem {
      keys.finish(key, with: .failure(problem))
      throw problem
    } catch {
      keys.forget(key)
      throw error
    }
  }

  /// Runs the route, and waits until its changes in the session are stored. The journal records this request as the cause of the changes.
  private func answerAndStore(_ request: ControlRequest, _ route: ControlRoute) async throws -> ControlResponse {
    guard !route.isReading, request.parameters["session"] != nil else { return try await route.handler(request) }
    let path = route.path.replacing("/sessions/{session}", with: "")
    let session = try await request.session()
    session.drive()
    let cause = session.journal.append(
      .control, action: "\(route.method.rawValue) \(path.isEmpty ? "/" : path)")
    let state = session.state
    let response = try await MessageCause.$current.withValue(cause) { try await route.handler(request) }
    if state.isAbandoned { throw ControlProblem.moved }
    // After a relaunch of the app, another `Session` has taken over the state.
    guard let present = sessions.running(id: session.id) else { return response }
    try await present.waitUntilStored()
    return response
  }

  private func send(_ response: ControlResponse, _ exchange: HTTPExchange) {
    var fields: HTTPFields = [.cacheControl: "no-store"]
    switch response {
    case .json(let value):
      fields[.contentType] = "application/json"
      exchange.respond(.ok, fields: fields, body: Array((value.jsonText + "\n").utf8))
    case .lines(let values):
      fields[.contentType] = ControlResponse.linesType
      exchange.respond(.ok, fields: fields, body: Array(values.map { $0.jsonText + "\n" }.joined().utf8))
    case .created(let value, let location):
      fields[.contentType] = "application/json"
      fields[.location] = Self.base + location
      exchange.respond(.created, fields: fields, body: Array((value.jsonText + "\n").utf8))
    case .noContent: exchange.respond(.noContent, fields: fields)
    case .answered: break
    }
  }

  private func refuse(_ exchange: HTTPExchange, _ problem: ControlProblem) {
    exchange.respondProblem(problem.status, problem.detail, members: problem.members, fields: problem.fields)
  }
}

/// The route of the OpenAPI document.
package enum DescriptionRoutes {
  /// The embedded file.
  static let path = "api/openapi.json"

  /// The document, for clients in the same program. Empty if the executable was built without the document.
  package static var document: [UInt8] { EmbeddedFile.all[path]?.bytes ?? [] }

  static let all = [
    ControlRoute(.get, "/openapi.json") { request in
      guard let file = EmbeddedFile.all[path] else {
        throw ControlProblem.notFound("This executable was built without the OpenAPI document.")
      }
      await request.exchange.serve(file, fields: [.cacheControl: "no-cache"])
      return .answered
    }
  ]
}
