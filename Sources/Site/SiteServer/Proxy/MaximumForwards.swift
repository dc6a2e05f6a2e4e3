import BridgeRuntime
import HTTP1
import HTTPTypes
import WebServer

/// `Max-Forwards` (RFC 9110, section 7.6.2): how many more servers a `TRACE` or `OPTIONS` may pass.
struct MaximumForwards {
  private let count: Int

  /// Reads the field; nil if it is missing or malformed, or has no meaning for the request's method.
  init?(_ head: RequestHead) {
    guard head.method == .trace || head.method == .options, let value = head.fields[.maxForwards],
      let count = Int(value),
      count >= 0
    else { return nil }
    self.count = count
  }

  /// Whether the request must be answered here.
  var isLast: Bool { count == 0 }

  /// The field's value for the next server.
  var next: String { String(count - 1) }

  /// Answers as the last server that the request reaches. The echo leaves out fields with secrets.
  @BridgeActor
  func answer(_ exchange: HTTPExchange) {
    let head = exchange.head
    guard head.method == .trace else { return exchange.respond(.ok, fields: [:]) }
    let secrets: [HTTPField.Name] = [.cookie, .authorization, .proxyAuthorization]
    let echo = try? HeadEncoder.encode(
      head.method, head.target, fields: head.fields.filter { !secrets.contains($0.name) })
    exchange.respond(.ok, fields: [.contentType: "message/http"], body: echo ?? [])
  }
}
