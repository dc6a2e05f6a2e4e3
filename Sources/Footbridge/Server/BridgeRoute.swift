import BridgeRuntime
import HTTP1
import HTTPTypes
import Logging
import WebServer

/// `/__footbridge/bridge`: where a page's shim opens its WebSocket.
@BridgeActor
struct BridgeRoute {
  /// The subprotocol of the wire.
  nonisolated static let subprotocol = "footbridge.v1"

  let access: AccessPolicy
  let sessions: Sessions
  let tickets: DocumentTickets
  let logger: Logger

  /// Opens the socket. Who the page is follows from its origin, the session's cookie and the document's ticket.
  func answer(_ exchange: HTTPExchange) async {
    let head = exchange.head
    guard access.allowsOrigin(of: head, isSecure: exchange.isSecure) else {
      return exchange.respondText(.forbidden, AccessPolicy.refusal)
    }
    let query = QueryItems(head.target.query)
    let pageID = query["page"]
    if let pageID, !Self.isPageID(pageID) {
      return exchange.respondText(.badRequest, "page must be 32 hexadecimal digits.")
    }
    var known: Session?
    do {
      if let value = SessionCookie.value(in: head.fields) { known = try await sessions.session(cookieValue: value) }
    } catch {
      logger.error("A session's state could not be read: \(error). Its pages try again.")
      return exchange.respondText(.serviceUnavailable, "The state of this session cannot be read.")
    }
    if let known, !known.hasRoom(forPage: pageID) {
      return exchange.respondText(
        .tooManyRequests,
        "This session has \(known.limits.pagesPerSession) pages open, which is as many as it may have.")
    }
    do {
      let connection = try exchange.acceptWebSocket(subprotocol: Self.subprotocol)
      let session = known ?? sessions.transient()
      let document = query["ticket"].flatMap { tickets.redeem($0, for: session.id, pageID: pageID) }
      session.open(connection, shimID: pageID, document: document)
    } catch let error as WebSocketHandshakeError {
      exchange.respondText(error.status, error.description, fields: error.fields)
    } catch {
      // The client has gone; there is nobody to answer.
    }
  }

  private static func isPageID(_ value: String) -> Bool {
    value.utf8.count == 32 && value.utf8.allSatisfy { 0x30...0x39 ~= $0 || 0x61...0x66 ~= $0 }
  }
}
