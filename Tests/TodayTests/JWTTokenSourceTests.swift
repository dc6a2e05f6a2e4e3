import BridgeCore
import BridgeRuntime
import Crypto
import Foundation
import Testing
import Today

@Suite struct JWTTokenSourceTests {
  private let clock = ManualBridgeClock()
  private let signer = ES256Signer()

  private func source(_ claims: [String: JSONValue] = [:], lifetime: Duration = .seconds(900)) throws -> JWTTokenSource
  {
    try JWTTokenSource(signer: signer, claims: claims, lifetime: lifetime, clock: clock, random: BridgeRandom(seed: 1))
  }

  private func decode(_ text: Substring) throws -> [UInt8] {
    let base64 = text.replacing("-", with: "+").replacing("_", with: "/")
    let padding = String(repeating: "=", count: (4 - base64.count % 4) % 4)
    return Array(try #require(Data(base64Encoded: base64 + padding)))
  }

  private func parts(_ token: AccessToken) throws -> [Substring] {
    let parts = token.rawValue.reveal().split(separator: ".", omittingEmptySubsequences: false)
    try #require(parts.count == 3)
    return parts
  }

  @Test func `a token says who signed it, and carries the developer's claims`() async throws {
    let parts = try parts(
      try await source(["sub": "user-1", "roles": ["a", "b"], "exp": 1, "iat": 2, "jti": "x"]).refresh())
    #expect(
      try JSONValue(parsing: try decode(parts[0])) == [
        "alg": "ES256", "kid": .string(signer.keyIdentifier), "typ": "JWT",
      ])
    let claims = try JSONValue(parsing: try decode(parts[1]))
    #expect(claims["sub"] == "user-1" && claims["roles"] == ["a", "b"])
    #expect(claims["iat"] == 1_760_000_000 && claims["exp"] == 1_760_000_900)
    #expect(claims["jti"]?.stringValue?.count == 36)
  }

  @Test func `the signature can be checked with the published key`() async throws {
    let parts = try parts(try await source().refresh())
    let x = try decode(try #require(signer.publicKey["x"]?.stringValue)[...])
    let y = try decode(try #require(signer.publicKey["y"]?.stringValue)[...])
    let key = try P256.Signing.PublicKey(rawRepresentation: x + y)
    let signature = try P256.Signing.ECDSASignature(rawRepresentation: try decode(parts[2]))
    #expect(key.isValidSignature(signature, for: Data("\(parts[0]).\(parts[1])".utf8)))
    #expect(!key.isValidSignature(signature, for: Data("\(parts[0]).x".utf8)))
    #expect(signer.publicKey["kid"] == .string(signer.keyIdentifier) && signer.publicKey["d"] == nil)
  }

  @Test func `each token is another one`() async throws {
    let source = try source()
    #expect(try await source.refresh() != (try await source.refresh()))
  }

  @Test func `the developer may bring a key`() throws {
    let key = P256.Signing.PrivateKey()
    let one = try ES256Signer(pemRepresentation: key.pemRepresentation)
    #expect(one.keyIdentifier == (try ES256Signer(pemRepresentation: key.pemRepresentation)).keyIdentifier)
    #expect(throws: TodaySettingsError.signingKey) { try ES256Signer(pemRepresentation: "no key") }
    let other = P384.Signing.PrivateKey().pemRepresentation
    #expect(throws: TodaySettingsError.signingKey) { try ES256Signer(pemRepresentation: other) }
  }

  @Test(arguments: [Duration.zero, .seconds(-1), .milliseconds(999), .seconds(Int64.max / 2)])
  func `a lifetime out of range is refused`(_ lifetime: Duration) {
    #expect(throws: TodaySettingsError.lifetime) { try source(lifetime: lifetime) }
  }

  @Test func `a key that cannot sign is an error for people`() async throws {
    struct BrokenSigner: TokenSigner {
      let algorithm = "ES256"
      let keyIdentifier = "x"
      func signature(of bytes: [UInt8]) async throws -> [UInt8] { throw CancellationError() }
    }
    let source = try JWTTokenSource(signer: BrokenSigner(), claims: [:], lifetime: .seconds(9))
    await #expect(throws: TokenError.signing) { try await source.refresh() }
  }
}
