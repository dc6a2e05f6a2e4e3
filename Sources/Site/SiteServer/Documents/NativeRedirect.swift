import BridgeCore
import BridgeServer
import HTTP1
package import HTTPTypes
import Sessions
package import WebServer

/// The answer to a navigation that redirects to an address for native, such as `myapp://callback?code=1`.
///
/// No browser loads such an address. In a `WKWebView`, native is asked about it, and the document stays. So the page gets the address, and the
/// browser gets 204 (No Content), with which the document stays.
package struct NativeRedirect: Equatable {
  /// The address.
  let url: String

  /// Schemes that browsers handle themselves.
  private static let schemesOfBrowsers: Set<String> = [
    "about", "blob", "data", "file", "filesystem", "http", "https", "javascript", "view-source", "ws", "wss",
  ]
  /// Whether browsers handle a scheme, in lower case, themselves.
  package static func isOfBrowsers(_ scheme: String) -> Bool { schemesOfBrowsers.contains(scheme) }

  private static let longestAddress = 64 << 10

  /// Reads a response. Nil if it is no redirect, or one to an address that browsers load.
  package init?(_ status: HTTPResponse.Status, _ fields: some Sequence<HTTPField>) {
    guard [301, 302, 303, 307, 308].contains(status.code),
      let location = fields.first(where: { $0.name == .location })?.value, location.utf8.count <= Self.longestAddress,
      let scheme = location.prefixMatch(of: /([A-Za-z][A-Za-z0-9+.-]*):/)?.output.1,
      !Self.schemesOfBrowsers.contains(scheme.lowercased())
    else { return nil }
    url = location
  }

  /// The fields of the answer in place of the redirect, such as its cookies.
  static func fields(insteadOf fields: [HTTPField]) -> HTTPFields {
    let rest = fields.filter { field in
      ![.location, .cacheControl, .expires, .refresh].contains(field.name)
        && !HTTPField.Name.aboutBody.contains(field.name)
    }
    return HTTPFields(inOrder: rest + [HTTPField(name: .cacheControl, value: "no-store")])
  }
}

extension DocumentAdmission {
  /// Hands a redirect to the page that navigates. Returns false if there is none: then the browser gets the redirect.
  func handOver(_ redirect: NativeRedirect, _ requested: RequestedDocument, _ exchange: HTTPExchange) async -> Bool {
    guard requested.isShown, let cookie = exchange.sessionCookie,
      let session = await sessions.arriving(cookieValue: cookie.value)
    else { return false }
    let isFrame: Bool? =
      switch requested.frame {
      case .main: false
      case .sub: true
      case .either, .worker, .unknown: nil
      }
    let referrer = exchange.head.fields[.referer].map { String($0.prefix { $0 != "?" && $0 != "#" }) }
    return await session.handOver(.init(to: redirect.url, isFrame: isFrame, referrer: referrer))
  }

  /// Answers a request for the site as a rule of the browser's session says. Returns false if no rule decides it.
  package func answerByRule(_ exchange: HTTPExchange, _ requested: RequestedDocument) async -> Bool {
    let head = exchange.head
    guard let session = sessions.running(exchange.sessionCookie), !session.rules.isEmpty, let path = head.target.path
    else { return false }
    let action = RuleAction.siteRequest
    let data: JSONValue = ["method": .string(head.method.rawValue), "path": .string(path)]
    guard let decided = session.rules.decide(RuledCall(action, data: data), about: .init(action: action)) else {
      return false
    }
    await session.rules.holdOrEnd(decided)
    if decided.outcome.cutsSocket {
      exchange.cut()
      return true
    }
    guard case .response(_, let answer?, _) = decided.outcome.answer, let location = answer["location"]?.stringValue,
      let code = answer["status"]?.numberValue.flatMap({ Int(exactly: $0) })
    else { return false }
    let status = HTTPResponse.Status(code: code)
    let fields: HTTPFields = [.location: PercentEncoding.encodeInvisible(location), .cacheControl: "no-store"]
    if let redirect = NativeRedirect(status, fields), await handOver(redirect, requested, exchange) {
      exchange.respond(.noContent, fields: [.cacheControl: "no-store"])
    } else {
      exchange.respondText(status, "A rule of a test redirects this request.", fields: fields)
    }
    return true
  }
}
