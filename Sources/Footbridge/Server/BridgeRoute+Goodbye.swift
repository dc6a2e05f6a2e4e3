import BridgeRuntime
import HTTP1
import HTTPTypes
import WebServer

/// `/__footbridge/goodbye`: when a page leaves, its shim sends the messages here that its socket may have lost.
extension BridgeRoute {
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
      session.received(goodbye: body, number, first: first, fromPage: pageID, document)
      // Its socket may never have opened, and so cannot tell that the page has left.
      if let ticket = caller.query["ticket"] { tickets.wasLeft(ticket, by: pageID) }
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
