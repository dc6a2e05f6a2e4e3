import BridgeRuntime
import Synchronization
import Testing
import Today

@Suite struct OAuthTokenSourceTests {
  private let clock = ManualBridgeClock()
  private let endpoint = ScriptedTokenEndpoint()

  private func source(
    _ credentials: OAuthCredentials = OAuthCredentials(refreshToken: Secret("refresh-1")),
    didRotate: @escaping @Sendable (Secret) async -> Void = { _ in }
  ) -> OAuthTokenSource {
    OAuthTokenSource(endpoint: endpoint, credentials: credentials, clock: clock, didRotate: didRotate)
  }

  @Test func `the grant is refresh_token, with the client's credentials in the body`() async throws {
    endpoint.answer(200, #"{"access_token":"a1","token_type":"Bearer","expires_in":3600}"#)
    let credentials = OAuthCredentials(
      refreshToken: Secret("refresh-1"), clientID: "client", clientSecret: Secret("client-secret"))
    let token = try await source(credentials).refresh()
    #expect(
      endpoint.forms == [
        ["grant_type=refresh_token", "refresh_token=refresh-1", "client_id=client", "client_secret=client-secret"]
      ])
    #expect(token.rawValue.reveal() == "a1")
    #expect(token.staleAt == clock.now.advanced(by: .seconds(3540)))
  }

  @Test func `a client with HTTP Basic sends no secret in the body, and its scope and audience`()
    async throws
  {
    endpoint.answer(200, #"{"access_token":"a1","token_type":"Bearer"}"#)
    var credentials = OAuthCredentials(
      refreshToken: Secret("refresh-1"), clientID: "cli:ent", clientSecret: Secret("s ü&%"))
    credentials.authentication = .basic
    credentials.scope = "feed embed"
    credentials.audience = "https://api.example"
    _ = try await source(credentials).refresh()
    #expect(
      endpoint.forms == [
        [
          "grant_type=refresh_token", "refresh_token=refresh-1", "scope=feed embed", "audience=https://api.example",
        ]
      ])
    // cli%3Aent:s+%C3%BC%26%25
    #expect(endpoint.authorizations == ["Basic Y2xpJTNBZW50OnMrJUMzJUJDJTI2JTI1"])
  }

  @Test func `each failed exchange calls didFail, without secrets`() async throws {
    let told = Mutex<[TokenError]>([])
    endpoint.answer(400, #"{"error":"invalid_grant","error_description":"refresh-1 was hush-hush"}"#)
    endpoint.failToAnswer()
    endpoint.answer(200, #"{"access_token":"a1","token_type":"Bearer"}"#)
    let credentials = OAuthCredentials(refreshToken: Secret("refresh-1"))
    let source = OAuthTokenSource(
      endpoint: endpoint, credentials: credentials, clock: clock,
      didFail: { error in
        told.withLock { $0.append(error) }
      })
    for _ in 1...3 { _ = try? await source.refresh() }
    #expect(told.withLock { $0 } == [.refused(.invalidGrant), .unreachable])
  }

  @Test func `a public client sends its refresh token only`() async throws {
    endpoint.answer(200, #"{"access_token":"a1","token_type":"bearer"}"#)
    let token = try await source().refresh()
    #expect(endpoint.forms == [["grant_type=refresh_token", "refresh_token=refresh-1"]])
    #expect(token.staleAt == nil)
  }

  @Test func `a new refresh token replaces the old one and is stored`() async throws {
    let stored = Mutex<[String]>([])
    endpoint.answer(200, #"{"access_token":"a1","token_type":"Bearer","refresh_token":"refresh-2"}"#)
    endpoint.answer(200, #"{"access_token":"a2","token_type":"Bearer"}"#)
    endpoint.answer(200, #"{"access_token":"a3","token_type":"Bearer","refresh_token":"refresh-2"}"#)
    let source = source { secret in stored.withLock { $0.append(secret.reveal()) } }
    for _ in 1...3 { _ = try await source.refresh() }
    #expect(
      endpoint.forms.map(\.last) == ["refresh_token=refresh-1", "refresh_token=refresh-2", "refresh_token=refresh-2"])
    #expect(stored.withLock { $0 } == ["refresh-2"])
  }

  @Test func `a failed exchange retains the refresh token`() async throws {
    endpoint.answer(400, #"{"error":"invalid_grant","refresh_token":"evil"}"#)
    endpoint.failToAnswer()
    endpoint.answer(200, #"{"access_token":"a1","token_type":"Bearer"}"#)
    let source = source()
    for _ in 1...2 { _ = try? await source.refresh() }
    #expect(try await source.refresh().rawValue.reveal() == "a1")
    #expect(Set(endpoint.forms.map(\.last)) == ["refresh_token=refresh-1"])
  }

  @Test func `two exchanges do not overlap, and the second sends the rotated token`() async throws {
    endpoint.answer(200, #"{"access_token":"a1","token_type":"Bearer","refresh_token":"refresh-2"}"#)
    endpoint.answer(200, #"{"access_token":"a2","token_type":"Bearer","refresh_token":"refresh-3"}"#)
    let source = source()
    async let first = source.refresh()
    async let second = source.refresh()
    let tokens = try await [first, second].map { $0.rawValue.reveal() }
    #expect(Set(tokens) == ["a1", "a2"])
    #expect(endpoint.mostUnderWay == 1)
    #expect(endpoint.forms.map(\.last) == ["refresh_token=refresh-1", "refresh_token=refresh-2"])
  }

  @Test(arguments: [
    (
      400, #"{"error":"invalid_grant","error_description":"refresh-1 was hush-hush"}"#,
      TokenError.refused(.invalidGrant)
    ),
    (401, #"{"error":"invalid_client"}"#, .refused(.invalidClient)), (400, #"{"error":"hush-hush"}"#, .refused(.other)),
    (400, #"{"error":7}"#, .invalidResponse), (400, "hush-hush", .invalidResponse), (404, "{}", .invalidResponse),
    (302, "", .invalidResponse), (500, "{}", .unreachable), (503, "hush-hush", .unreachable), (429, "{}", .unreachable),
    (200, "", .invalidResponse), (200, "[]", .invalidResponse), (200, "{}", .invalidResponse),
    (200, #"{"access_token":"a"}"#, .invalidResponse),
    (200, #"{"access_token":"a","token_type":"mac"}"#, .invalidResponse),
    (200, #"{"access_token":7,"token_type":"Bearer"}"#, .invalidResponse),
    (200, #"{"access_token":"hush\r\nhush","token_type":"Bearer"}"#, .invalidResponse),
    (200, #"{"access_token":"","token_type":"Bearer"}"#, .invalidResponse),
    (200, #"{"error":"invalid_grant"}"#, .invalidResponse),
  ])
  func `each failure has a reason without secrets`(_ status: Int, _ body: String, _ expected: TokenError)
    async
  {
    endpoint.answer(status, body)
    do {
      _ = try await source().refresh()
      Issue.record("There should be no token.")
    } catch {
      #expect(error == expected)
      #expect(!"\(error)\(String(reflecting: error))".contains("hush"))
    }
  }

  @Test func `a transport failure is unreachable, without the transport's text`() async {
    endpoint.failToAnswer()
    await #expect(throws: TokenError.unreachable) { try await source().refresh() }
  }

  @Test(
    arguments: [
      ("0", 0.0), ("-5", 0), ("1e300", 10 * 365 * 86_400 - 60), ("600.5", 540.5), ("60", 54),
    ] as [(String, Double)])
  func `any numeric lifetime is accepted and limited`(_ expires: String, _ stale: Double) async throws {
    endpoint.answer(200, #"{"access_token":"a","token_type":"Bearer","expires_in":\#(expires)}"#)
    #expect(try await source().refresh().staleAt == clock.now.advanced(by: .seconds(stale)))
  }

  @Test(arguments: ["null", "\"3600\"", "{}"])
  func `a lifetime that is not a number is ignored`(_ expires: String) async throws {
    endpoint.answer(200, #"{"access_token":"a","token_type":"Bearer","expires_in":\#(expires)}"#)
    #expect(try await source().refresh().staleAt == nil)
  }
}
