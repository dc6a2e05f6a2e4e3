import BridgeRuntime
import ContentDecoding
import HTTP1
import HTTPTypes
import WebServer

/// The answer if the upstream server gives none. Browsers get a page that names the server and retries, and other clients get a line of
/// text.
struct UpstreamProblem {
  /// The status: 502, 503 or 504.
  let status: HTTPResponse.Status
  private let title: String
  private let text: String
  private let origin: HTTPOrigin

  init(_ error: any Error, origin: HTTPOrigin) {
    self.origin = origin
    switch error {
    case let error as HTTPClientError:
      text = error.description
      switch error {
      case .timedOut:
        status = .gatewayTimeout
        title = "The site does not answer in time"
      case .cannotSecure:
        status = .badGateway
        title = "No secure connection to the site"
      case .noDescriptor:
        status = .serviceUnavailable
        title = "Footbridge has no file descriptor left"
      case .cannotResolve, .cannotConnect:
        status = .badGateway
        title = "The site is not running"
      default:
        status = .badGateway
        title = "The site sent an invalid answer"
      }
    case let error as ContentDecodingError:
      status = .badGateway
      title = "The site sent an invalid answer"
      text = "\(origin) sent a document that cannot be decoded: \(error.description)."
    case let error as MessageDefect:
      status = .badGateway
      title = "The request cannot be forwarded"
      text = error.description
    default:
      status = .badGateway
      title = "The site did not answer"
      text = "\(origin) did not answer."
    }
  }

  /// A sentence about the problem, for the log.
  var description: String { text }

  /// Answers with the problem.
  @BridgeActor
  func answer(_ exchange: HTTPExchange) {
    // The last field tells the page that its retry got this answer again.
    var fields: HTTPFields = [
      .cacheControl: "no-store", .footbridgeProblem: "upstream",
    ]
    if status == .serviceUnavailable { fields[.retryAfter] = "1" }
    let wantsHTML = exchange.head.fields.tokens(of: .accept).contains { $0.lowercased().hasPrefix("text/html") }
    guard wantsHTML, RequestedDocument(exchange.head, isSecure: exchange.isSecure).isInjected else {
      return exchange.respondText(status, text, fields: fields)
    }
    fields[.contentType] = "text/html; charset=utf-8"
    // Only a GET is safe to repeat.
    let retries = exchange.head.method == .get
    exchange.respond(status, fields: fields, body: Array(page(retries: retries).utf8))
  }

  private func page(retries: Bool) -> String {
    let template =
      EmbeddedFile.all["proxy/problem.html"].map { String(decoding: $0.bytes, as: UTF8.self) } ?? "{{text}}"
    return
      template
      .replacing("{{title}}", with: Self.escaped(title))
      .replacing("{{text}}", with: Self.escaped(text))
      .replacing("{{origin}}", with: Self.escaped(origin.description))
      .replacing("{{status}}", with: "\(status.code)")
      .replacing("{{retries}}", with: retries ? "true" : "false")
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
      .replacing("\"", with: "&quot;")
  }
}
