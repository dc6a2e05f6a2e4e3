import BridgeRuntime
import BridgeServer
import HTTP1
import HTTPTypes
import Logging
import Sessions
import SiteServer
import WebServer

/// `/__footbridge/bridge`: a page's shim opens its WebSocket here.
@BridgeActor
struct PageSocketRoute {
  /// The subprotocol of the wire.
  nonisolated static let subprotocol = "footbridge.v1"

  let access: AccessPolicy
  let sessions: SessionRegistry
  let tickets: DocumentTickets
  let logger: Logger

  /// Opens the socket. The page is identified by its origin, the session's cookie and the document's ticket.
  func answer(_ exchange: HTTPExchange) async {
    guard let caller = await caller(of: exchange) else { return }
    do {
      let connection = try exchange.acceptWebSocket(subprotocol: Self.subprotocol)
      let session = caller.session ?? sessions.transient()
      if session.refuse(connection, ofEarlierPage: caller.pageID) { return }
      let document = document(of: caller, in: session)
      let hasInvalidTicket = document == nil && caller.query["ticket"] != nil
      let page = session.open(
        connection, shimID: caller.pageID, document: document, hasInvalidTicket: hasInvalidTicket,
        closesEarly: caller.query["early"] == "true")
      if caller.session != nil { checkLease(before: connection) }
      guard document != nil, let ticket = caller.query["ticket"] else { return }
      let onClose = connection.onClose
      connection.onClose = { [tickets, weak page] code in
        // Browsers break the socket of a page that they leave while it is still connecting. A page that stays after all has its ticket still.
        let leaves = code == .goingAway || code == .pageHasLeft || code == .pageIsCached
        if leaves || page?.hasSaidHello != true {
          tickets.pageEnded(ticket, by: caller.pageID)
        }
        onClose?(code)
      }
    } catch let error as WebSocketHandshakeError {
      exchange.respondText(error.status, error.description, fields: error.fields)
    } catch {
      // The client has gone; there is nobody to answer.
    }
  }

  /// A server that shares its database may have been stopped for a while. It then first reads messages for sessions that another server may
  /// own by now.
  private func checkLease(before connection: WebSocketConnection) {
    let ownership = sessions.ownership
    guard ownership.isShared else { return }
    let onMessage = connection.onMessage
    connection.onMessage = { [weak ownership] message in
      guard let ownership, !ownership.hasLease else {
        onMessage?(message)
        return
      }
      ownership.checkLease()
    }
  }

  /// The sender of a request.
  struct Caller {
    /// The session of its browser; nil if it has no session cookie.
    let session: Session?
    /// The id that the page's shim has chosen; nil for a client without a shim.
    let pageID: String?
    let query: QueryItems
  }

  /// The sender of a request. Nil if the request was refused.
  func caller(of exchange: HTTPExchange) async -> Caller? {
    let head = exchange.head
    guard access.allowsOrigin(of: head, isSecure: exchange.isSecure) else {
      exchange.respondText(.forbidden, AccessPolicy.refusal)
      return nil
    }
    let query = QueryItems(head.target.query)
    let pageID = query["page"]
    if let pageID, !Self.isPageID(pageID) {
      exchange.respondText(.badRequest, "page must be 32 hexadecimal digits.")
      return nil
    }
    var session: Session?
    do {
      if let value = SessionCookie.value(in: head.fields, isSecure: exchange.isSecure) {
        session = try await sessions.session(cookieValue: value)
      }
    } catch let error as SessionElsewhere {
      exchange.respondText(.serviceUnavailable, error.description, fields: [.retryAfter: "1"])
      return nil
    } catch {
      if !(error is StoreUnavailable) {
        logger.error("The state of a session cannot be read: \(error). Its pages retry.")
      }
      exchange.respondText(.serviceUnavailable, UnreadableSession.text, fields: [.retryAfter: "1"])
      return nil
    }
    if let session, !session.hasRoom(forPage: pageID) {
      exchange.respondText(
        .tooManyRequests,
        "This session has \(session.limits.pagesPerSession) pages open, the maximum. Close one, or raise limits.pagesPerSession in footbridge.yaml."
      )
      return nil
    }
    return Caller(session: session, pageID: pageID, query: query)
  }

  /// The document that a request's ticket is for; nil if the ticket is missing or invalid.
  func document(of caller: Caller, in session: Session) -> ServedDocument? {
    var document = caller.query["ticket"].flatMap { tickets.redeem($0, for: session.id, pageID: caller.pageID) }
    // The page's own report of its frame counts only if the browser has not reported it.
    if document?.frame == .either || document?.frame == .worker {
      document?.frame = caller.query["frame"] == nil ? .main : .sub
    }
    return document
  }

  private static func isPageID(_ value: String) -> Bool { Hexadecimal.isText(value, count: 32) }
}

/// `/__footbridge/goodbye`: when a page leaves, its shim sends messages here that its socket may have lost.
extension PageSocketRoute {
  /// The maximum that a browser sends in requests that outlive their page (Fetch standard, "HTTP-network-or-cache fetch").
  private static let goodbyeByteLimit = 64 << 10
  /// No page sends more requests.
  private static let goodbyeCountLimit = 1 << 20

  /// Receives a goodbye: the page's messages as JSON text sequences (RFC 7464). The page is identified as for its socket. Nobody reads the
  /// answer.
  func answerGoodbye(_ exchange: HTTPExchange) async {
    guard exchange.allows([.post]) else { return }
    guard let caller = await caller(of: exchange) else { return }
    guard let session = caller.session, let pageID = caller.pageID else {
      return exchange.respondText(.badRequest, "A goodbye needs the cookie of a session and the id of its page.")
    }
    guard let number = count("part", of: caller), let first = count("first", of: caller),
      let lostCount = count("lost", of: caller)
    else {
      return exchange.respondText(
        .badRequest, "part, first and lost must be numbers from 0 to \(Self.goodbyeCountLimit).")
    }
    do {
      guard let body = try await exchange.collectBody(limit: Self.goodbyeByteLimit) else {
        return exchange.respondText(.contentTooLarge, "A goodbye may have at most \(Self.goodbyeByteLimit) bytes.")
      }
      guard String(validating: body, as: UTF8.self) != nil else {
        return exchange.respondText(.badRequest, "A goodbye must be UTF-8.")
      }
      let document = document(of: caller, in: session)
      session.received(
        goodbye: body, number, first: first, isCached: caller.query["cached"] == "true", fromPage: pageID, document)
      // Its socket may never have opened, and so cannot tell that the page has left.
      if let ticket = caller.query["ticket"] { tickets.pageEnded(ticket, by: pageID) }
      if lostCount > 0 { session.noteLost(lostCount, byteLimit: Self.goodbyeByteLimit) }
      var fields: HTTPFields = [.cacheControl: "no-store"]
      access.letPageRead(&fields, inAnswerTo: exchange.head)
      exchange.respond(.noContent, fields: fields)
    } catch {
      // The client has gone before it sent everything. There is nobody to answer.
    }
  }

  private func count(_ name: Substring, of caller: Caller) -> Int? {
    guard let count = caller.query[name].flatMap({ Int($0) }), 0...Self.goodbyeCountLimit ~= count else { return nil }
    return count
  }
}

/// `/__footbridge/now`: a page asks here for an answer that it needs at once, such as that of a `prompt`. Its scripts wait meanwhile.
extension PageSocketRoute {
  /// Answers with the message that would otherwise come over the socket. The body has the call and unsent calls before it, as JSON text
  /// sequences (RFC 7464). The query's `call` is the correlation id. The page is identified as for its socket, and must be known to be one.
  func answerNow(_ exchange: HTTPExchange) async {
    guard exchange.allows([.post]) else { return }
    guard let caller = await caller(of: exchange) else { return }
    guard let session = caller.session, let pageID = caller.pageID, let call = caller.query["call"] else {
      return exchange.respondText(
        .badRequest, "An urgent call needs the cookie of a session, the id of its page, and its correlation id as call."
      )
    }
    let document = document(of: caller, in: session)
    // Nobody else may make the server read a body.
    guard document != nil || session.hasOpen(shimID: pageID) else {
      return exchange.respondText(
        .forbidden, "An urgent call needs a page that is connected, or the ticket of its document.")
    }
    let limit = session.limits.web.webSocketMessageBytes
    do {
      guard let body = try await exchange.collectBody(limit: limit) else {
        return exchange.respondText(
          .contentTooLarge, "An urgent call may have at most \(limit) bytes, with the calls before it.")
      }
      guard String(validating: body, as: UTF8.self) != nil else {
        return exchange.respondText(.badRequest, "An urgent call must be UTF-8.")
      }
      var fields: HTTPFields = [.cacheControl: "no-store", .contentType: "application/json"]
      access.letPageRead(&fields, inAnswerTo: exchange.head)
      if let answer = await session.answer(toUrgent: call, body, fromPage: pageID, document) {
        exchange.respond(.ok, fields: fields, body: answer)
      } else {
        exchange.respond(.noContent, fields: fields)
      }
    } catch {
      // The client has gone before it sent everything. There is nobody to answer.
    }
  }
}
