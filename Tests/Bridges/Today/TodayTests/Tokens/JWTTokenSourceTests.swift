import BridgeCore
import BridgeRuntime
import Testing
import Today

@Suite struct JWTTokenSourceTests {
  /// Signs by writing the claims down.
  private struct PlainSigner: TokenSigner {
    func sign(claims: [String: JSONValue]) async throws -> String {
      Base64URL.encode(Array(JSONValue.object(claims).jsonText.utf8))
    }
  }

  private let clock = ManualBridgeClock()

  private func source(_ claims: [String: JSONValue] = [:], lifetime: Duration = .seconds(900)) throws -> JWTTokenSource
  {
    try JWTTokenSource(
      signer: PlainSigner(), claims: claims, lifetime: lifetime, clock: clock, random: BridgeRandom(seed: 1))
  }

  @Test func `a token has the developer's claims, and the source's own override them`() async throws {
    let token = try await source(["sub": "user-1", "roles": ["a", "b"], "exp": 1, "iat": 2, "jti": "x"]).refresh()
    let claims = try JSONValue(parsing: try #require(Base64URL.decode(token.rawValue.reveal())))
    #expect(claims["sub"] == "user-1" && claims["roles"] == ["a", "b"])
    #expect(claims["iat"] == 1_760_000_000 && claims["exp"] == 1_760_000_900)
    #expect(claims["jti"]?.stringValue?.count == 36)
  }

  @Test func `each token is different`() async throws {
    let source = try source()
    #expect(try await source.refresh() != (try await source.refresh()))
  }

  @Test(arguments: [Duration.zero, .seconds(-1), .milliseconds(999), .seconds(Int64.max / 2)])
  func `a lifetime out of range is refused`(_ lifetime: Duration) {
    #expect(throws: TodaySettingsError.lifetime) { try source(lifetime: lifetime) }
  }

  @Test func `a key that cannot sign is an error with a description`() async throws {
    struct BrokenSigner: TokenSigner {
      func sign(claims: [String: JSONValue]) async throws -> String { throw CancellationError() }
    }
    let source = try JWTTokenSource(signer: BrokenSigner(), claims: [:], lifetime: .seconds(9))
    await #expect(throws: TokenError.signing) { try await source.refresh() }
  }
}
