import BridgeRuntime
import HTTP1
import HTTPTypes
import WebServer

/// A plain request to the forward proxy for a server that is not listed. It is passed on unchanged (RFC 9110, section 7.6).
@BridgeActor
struct PassedRequest {
  /// Our name in `Via`.
  let pseudonym: String
  /// The server that the request is for.
  let origin: HTTPOrigin
  /// Opens connections, to addresses that a proxy may connect to only.
  let client: HTTPClient

  /// Passes the request on, and its answer back.
  ///
  /// - Throws: `HTTPClientError`, or `MessageDefect` for a request that cannot be written.
  func answer(_ exchange: HTTPExchange) async throws {
    if let hops = MaximumForwards(exchange.head), hops.isLast { return hops.answer(exchange) }
    let upstream = client.send(try head(for: exchange.head), to: origin)
    exchange.follow(upstream)
    let upload = Upload(from: exchange, to: upstream)
    defer { upload.stop() }
    upload.start()
    while true {
      let answer = try await upstream.nextHead()
      let fields = HTTPFields(inOrder: Array(answer.fields.withoutHopByHopFields) + [via])
      if answer.status.kind == .informational {
        // Reading the body has answered an expectation already.
        if answer.status.code != 100 { exchange.inform(answer.status, fields: fields) }
        continue
      }
      exchange.isForwarded = true
      exchange.begin(answer.status, fields: fields, length: fields[.contentLength].flatMap { Int($0) })
      while let piece = try await upstream.nextBodyPiece() { try await exchange.write(piece) }
      return exchange.finish(trailers: upstream.trailers)
    }
  }

  /// The head for the server: `Host` is that of the target (RFC 9112, section 3.2.2).
  private func head(for head: RequestHead) throws(MessageDefect) -> RequestHead {
    var fields = [HTTPField(name: .hostField, value: origin.authority)]
    let hops = MaximumForwards(head)
    for field in head.fields.withoutHopByHopFields where field.name != .hostField && field.name != .proxyAuthorization {
      fields.append(
        field.name == .maxForwards ? hops.map { HTTPField(name: field.name, value: $0.next) } ?? field : field)
    }
    if head.bodyFraming == .chunked { fields.append(HTTPField(name: .transferEncoding, value: "chunked")) }
    fields.append(via)
    let target = RequestTarget.origin(path: head.target.path ?? "/", query: head.target.query)
    return try RequestHead(method: head.method, target: target, fields: HTTPFields(inOrder: fields))
  }

  private var via: HTTPField { HTTPField(name: .via, value: "1.1 \(pseudonym)") }
}
