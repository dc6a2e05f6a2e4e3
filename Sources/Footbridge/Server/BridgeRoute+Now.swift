import HTTP1
import HTTPTypes
import Sessions
import WebServer

/// `/__footbridge/now`: where a page asks what it must know at once, such as the answer to a `prompt`. Its scripts wait meanwhile.
extension BridgeRoute {
  /// Answers with the message that the socket would carry. The body has the call and those before it, as JSON text sequences (RFC 7464); the
  /// query's `call` is the correlation id. The page is identified as for its socket.
  func answerNow(_ exchange: HTTPExchange) async {
    guard exchange.allows([.post]) else { return }
    guard let caller = await caller(of: exchange) else { return }
    guard let session = caller.session, let pageID = caller.pageID, let call = caller.query["call"] else {
      return exchange.respondText(
        .badRequest, "Such a call needs the cookie of a session, the id of its page, and its correlation id as call.")
    }
    let limit = session.limits.web.webSocketMessageBytes
    do {
      guard let body = try await exchange.collectBody(limit: limit) else {
        return exchange.respondText(.contentTooLarge, "What a page asks at once may have at most \(limit) bytes.")
      }
      guard String(validating: body, as: UTF8.self) != nil else {
        return exchange.respondText(.badRequest, "What a page asks must be UTF-8.")
      }
      let document = document(of: caller, in: session)
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
