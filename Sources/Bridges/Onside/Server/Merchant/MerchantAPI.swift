import BridgeCore
import BridgeRuntime
import BridgeServer
import HTTPTypes
import OnsideKit
import Sessions
import WebServer

/// The store's Merchant API (purchasing guide, "Backend Validation Request"). A publisher's backend looks up orders here.
///
/// The server simulates one merchant, who owns every app on it. A valid token with another merchant as `sub` gets 403. An unknown order,
/// and an id that is not a UUID, get 404. The contract does not describe the bodies of errors; ours are problem details.
@BridgeActor
final class MerchantAPI {
  /// The path of an order's history below `/__footbridge/`, up to the order's id.
  nonisolated static let historyPath = "onside/merchant-api/v1/purchases/in-app/history/"
  /// The action of a request for a history, for rules.
  nonisolated static let ruleAction = "onside.merchantAPI"
  /// The statuses that a rule can answer with: those of the contract, and those of a server under load.
  nonisolated static let statuses = [401, 403, 404, 429, 500, 502, 503, 504]
  /// The file in the state directory with the key that signs histories.
  nonisolated static let keyFileName = "onside-signing-key.pem"

  private let credentials: MerchantCredentials
  private let check: MerchantTokenCheck
  private let server: ServerContext
  private let signer: any HistorySigner
  private let clock: any BridgeClock
  private var replayMemory = ReplayMemory()

  init(credentials: MerchantCredentials, server: ServerContext, signer: any HistorySigner, clock: any BridgeClock) {
    self.credentials = credentials
    check = MerchantTokenCheck(credentials)
    self.server = server
    self.signer = signer
    self.clock = clock
  }

  /// Answers with the signed history of an order.
  func answerHistory(_ exchange: HTTPExchange, orderID: Substring) async {
    guard [.get, .head].contains(exchange.head.method) else {
      return exchange.respondProblem(
        .methodNotAllowed, "Use GET or HEAD to read a history.", fields: [.allow: "GET, HEAD"])
    }
    guard await isAuthorized(exchange) else { return }
    let orderID = orderID.lowercased()
    let sessions: [Session]
    do {
      sessions = try await server.sessions?.sessions(ofOrder: orderID) ?? []
    } catch {
      if !(error is StoreUnavailable) { server.logger.error("The history of an order cannot be read: \(error)") }
      return exchange.respondProblem(
        .serviceUnavailable, "The server cannot read its store. Its log says why.", fields: [.retryAfter: "1"])
    }
    for session in sessions { if await isDecided(exchange, orderID, in: session) { return } }
    guard let history = sessions.first?.transactionHistory(ofOrder: orderID) else {
      return exchange.respondProblem(.notFound, "No session of this server has an order with this id.")
    }
    do {
      let signed = try await signer.sign(payload: Array(history.jsonText.utf8))
      exchange.respond(
        .ok, fields: [.contentType: "application/jose", .cacheControl: "no-store"], body: Array(signed.utf8))
    } catch {
      exchange.respondProblem(.internalServerError, "The history could not be signed.")
    }
  }

  /// Whether a rule of the session has decided how the request ends. If so, its answer has been sent.
  private func isDecided(_ exchange: HTTPExchange, _ orderID: String, in session: Session) async -> Bool {
    guard let outcome = await session.rules.decideRequest(Self.ruleAction, ["orderId": .string(orderID)]) else {
      return false
    }
    if outcome.cutsSocket {
      exchange.cut()
      return true
    }
    guard let status = outcome.status else { return false }
    let fields: HTTPFields = outcome.retryAfter.map { [.retryAfter: String($0)] } ?? [:]
    exchange.respondProblem(.init(code: status), "A rule of a test has decided this answer.", fields: fields)
    return true
  }

  /// Whether the request is authorized. If not, the error has been sent.
  private func isAuthorized(_ exchange: HTTPExchange) async -> Bool {
    let now = clock.now
    let claims: MerchantTokenCheck.Claims
    do throws(MerchantTokenError) {
      claims = try check.claims(of: try Self.bearerToken(in: exchange.head.fields), at: now)
    } catch {
      refuse(exchange, error)
      return false
    }
    switch replayMemory.use(claims.tokenID, until: claims.end, now: now) {
    case .new: break
    case .replayed:
      refuse(exchange, .replayed)
      return false
    case .full:
      exchange.respondProblem(
        .serviceUnavailable, "Too many tokens were used in the last minute. Try again later.",
        fields: [.retryAfter: "10"])
      return false
    }
    do {
      guard try await server.sessions?.use(token: claims.tokenID, until: claims.end, now: now) ?? true else {
        refuse(exchange, .replayed)
        return false
      }
    } catch {
      exchange.respondProblem(
        .serviceUnavailable, "The server cannot reach its database. Its log says why. Use a new token.",
        fields: [.retryAfter: "1"])
      return false
    }
    guard claims.merchantID == credentials.id else {
      exchange.respondProblem(
        .forbidden,
        "The token's sub is not the Merchant ID of this server. Set it under onside.merchant in footbridge.yaml.")
      return false
    }
    return true
  }

  /// The challenge is that of RFC 6750, section 3.
  private func refuse(_ exchange: HTTPExchange, _ error: MerchantTokenError) {
    let challenge = "Bearer realm=\"onside\"" + (error == .missing ? "" : ", error=\"invalid_token\"")
    exchange.respondProblem(.unauthorized, error.description, fields: [.wwwAuthenticate: challenge])
  }

  private static func bearerToken(in fields: HTTPFields) throws(MerchantTokenError) -> String {
    let values = fields[values: .authorization]
    guard values.count == 1 else { throw .missing }
    let parts = values[0].split(separator: " ", maxSplits: 1)
    guard parts.count == 2, parts[0].lowercased() == "bearer" else { throw .missing }
    return String(parts[1].trimmingPrefix { $0 == " " })
  }
}

extension MerchantAPI {
  /// Finds the session that has the order of a history.
  nonisolated static func lookup(_ route: Substring) -> SessionLookup? {
    guard route.hasPrefix(historyPath) else { return nil }
    let order = route.dropFirst(historyPath.count).lowercased()
    return SessionLookup("order \(order)") { try await $0.key(ofOrder: order) }
  }
}
