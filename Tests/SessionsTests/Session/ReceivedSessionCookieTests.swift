import BridgeRuntime
import HTTP1
import HTTPTypes
import Testing
import WebServer

@testable import Sessions

@BridgeActor
@Suite struct ReceivedSessionCookieTests {
  private static let cookies = ["0a", "1b"].map { String(repeating: $0, count: 16) }

  @Test func `the session cookie of a request is read once, and again after its fields have changed`() async throws {
    let answer = try await answer(cookie: Self.cookies[0]) { exchange in
      let received = exchange.sessionCookie
      let isReadOnce = exchange.sessionCookie === received
      var fields = exchange.head.fields
      fields[.cookie] = "footbridge_session=\(Self.cookies[1])"
      try? exchange.replaceFields(fields)
      return "\(received?.value ?? "") \(isReadOnce) \(exchange.sessionCookie?.value ?? "")"
    }
    #expect(answer == "\(Self.cookies[0]) true \(Self.cookies[1])")
  }

  @Test func `the key of a received session cookie is that of its value`() async throws {
    let answer = try await answer(cookie: Self.cookies[0]) { $0.sessionCookie?.key.rawValue ?? "" }
    #expect(answer == SessionKey(cookieValue: Self.cookies[0]).rawValue)
  }

  @Test func `a request without a session cookie has none`() async throws {
    #expect(try await answer(cookie: "no value of ours") { "\($0.sessionCookie == nil)" } == "true")
  }

  /// The text with which a server answers a request with this cookie.
  private func answer(
    cookie: String, _ text: @escaping @BridgeActor (HTTPExchange) -> String
  ) async throws -> String {
    let server = try HTTPServer { $0.respond(.ok, body: Array(text($0).utf8)) }
    let port = try server.listen(host: "127.0.0.1", port: 0)
    let client = try HTTPClient()
    let origin = try #require(HTTPOrigin("http://127.0.0.1:\(port)"))
    let fields: HTTPFields = [.hostField: origin.authority, .cookie: "a=b; footbridge_session=\(cookie)"]
    let target = RequestTarget.origin(path: "/", query: nil)
    let exchange = client.send(try RequestHead(method: .get, target: target, fields: fields), to: origin)
    _ = try await exchange.nextHead()
    var body: [UInt8] = []
    while let piece = try await exchange.nextBodyPiece() { body += piece }
    client.stop()
    await server.stop()
    return String(decoding: body, as: UTF8.self)
  }
}
