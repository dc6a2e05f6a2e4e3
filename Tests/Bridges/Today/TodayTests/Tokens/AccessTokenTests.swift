import BridgeRuntime
import Testing

@testable import Today

@Suite struct AccessTokenTests {
  private let hidden = "hush-hush-token"

  /// Everything that Swift prints a value by.
  private func texts(_ value: Any) -> [String] {
    var dumped = ""
    dump(value, to: &dumped)
    return [
      "\(value)", String(describing: value), String(reflecting: value), dumped, "\([value])", "\(["key": value])",
    ]
  }

  @Test func `no description prints a token`() throws {
    let token = try AccessToken(hidden, lifetime: .seconds(9), issuedAt: ManualBridgeClock().now)
    var machine = TokenFlightStateMachine<Int>(isSignedIn: true)
    if case .start(let flight) = machine.refresh(1) { _ = machine.finish(generation: flight, token: token) }
    let credentials = OAuthCredentials(
      refreshToken: Secret(hidden), clientID: "client", clientSecret: Secret(hidden))
    let body = Array(#"{"access_token":"\#(hidden)","token_type":"Bearer","refresh_token":"\#(hidden)"}"#.utf8)
    let values: [Any] = [
      token, token.rawValue, token.authorization, machine,
      Result<AccessToken, TokenError>.success(token),
      credentials, try OAuthTokenResponse(status: 200, body: body, receivedAt: ManualBridgeClock().now),
      OAuthTokenSource(endpoint: ScriptedTokenEndpoint(), credentials: credentials),
      TodayReply.value(["authorization": .string(hidden)]), PostHogBatch(events: [], key: Secret(hidden)),
      Optional(token) as Any, (token, 1),
    ]
    for value in values {
      for text in texts(value) { #expect(!text.contains("hush"), "\(type(of: value))") }
    }
  }

  @Test(arguments: [
    "", "a b", "a;b", "a,b", "a\"b", "a\\b", "a\r\nX: y", "a\u{0}", "a\u{7f}", "é", "a\tb",
    String(repeating: "a", count: 16_385),
  ])
  func `a token that is invalid in a header or a cookie is refused`(_ text: String) {
    #expect(throws: TokenError.invalidResponse) {
      try AccessToken(text, lifetime: nil, issuedAt: ManualBridgeClock().now)
    }
  }

  @Test @BridgeActor func `a token retains its validity on a device whose clock differs`() async throws {
    let device = ManualBridgeClock()
    let issued = try AccessToken("a", lifetime: .seconds(100), issuedAt: device.now)
    device.advance(by: .seconds(30 * 86_400))
    let source = GatedTokenSource()
    let store = TokenStore(source: source, clock: device)
    async let token = store.refreshCoalesced()
    await source.started(1)
    source.finish(.success(issued))
    #expect(try await token.validity == issued.validity)
  }

  @Test func `a token's header value is Bearer and the token`() throws {
    let token = try AccessToken("a.b-c_d~e+f/g==", lifetime: nil, issuedAt: ManualBridgeClock().now)
    #expect(token.authorization.reveal() == "Bearer a.b-c_d~e+f/g==")
    #expect(token.rawValue.reveal() == "a.b-c_d~e+f/g==")
  }

  @Test(arguments: [
    TokenError.signedOut, .refused(.invalidGrant), .refused(.other), .unreachable, .invalidResponse, .signing,
  ])
  func `every token error has a description`(_ error: TokenError) {
    #expect(error.description.hasSuffix(".") && error.description.count > 20)
  }
}
