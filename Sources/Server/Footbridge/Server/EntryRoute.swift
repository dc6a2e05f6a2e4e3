import BridgeRuntime
import BridgeServer
import HTTPTypes
import Sessions
import SiteServer
import WebServer

/// Puts a browser into a session: `GET /__footbridge/enter/{code}?to=/path` sets the session's cookie and leads to the path.
@BridgeActor
struct EntryRoute {
  let codes: OneTimeCodes<Secret>
  let sessions: SessionRegistry

  /// Answers a request for a path that begins with ``OwnPath/entry``.
  func answer(_ exchange: HTTPExchange, code: Substring) async {
    let fields: HTTPFields = [.cacheControl: "no-store", .referrerPolicy: "no-referrer"]
    guard exchange.allows([.get]) else { return }
    let head = exchange.head
    // A prefetch must not use up the code.
    guard !head.fields[values: .secPurpose].contains(where: { $0.contains("prefetch") }) else {
      return exchange.respondText(
        .serviceUnavailable, "A prefetch cannot use this code. Open the address.", fields: fields)
    }
    guard let target = EntryTarget(queryItem: QueryItems(head.target.query)["to"]) else {
      return exchange.respondText(.badRequest, "to must be \(EntryTarget.requirement).", fields: fields)
    }
    guard let value = codes.redeem(String(code))?.reveal(), (try? await sessions.known(cookieValue: value)) != nil
    else {
      return exchange.respondText(
        .gone, "This code is unknown, was used, or is too old. Each code is for one browser: make a new one.",
        fields: fields)
    }
    var answer = fields
    answer[.location] = target.location
    answer[.setCookie] = SessionCookie(in: head.fields).setCookie(value, isSecure: exchange.isSecure)
    exchange.respond(.seeOther, fields: answer)
  }
}

extension HTTPField.Name {
  /// `Sec-Purpose` (Fetch, section 2.6): the purpose of a request that no person has made, such as a prefetch.
  fileprivate static let secPurpose = named("Sec-Purpose")
  /// `Referrer-Policy` (Referrer Policy, section 8.1): how much of this address later requests reveal.
  static let referrerPolicy = named("Referrer-Policy")
}
