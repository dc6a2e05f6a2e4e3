import BridgeCore
import BridgeRuntime
import Cryptography
import Testing

@testable import Footbridge
@testable import OnsideServer
@testable import Sessions

@Suite struct MerchantTokenCheckTests {
  private static let now = 1_760_000_000.0

  /// A token made by hand.
  private static func token(
    header: JSONValue = ["alg": "HS256", "kid": .string(MerchantCredentials.developmentKeyID), "typ": "JWT"],
    claims: JSONValue = claims(),
    secret: String = MerchantCredentials.developmentSecret
  ) -> String {
    let input = Base64URL.encode(Array(header.jsonText.utf8)) + "." + Base64URL.encode(Array(claims.jsonText.utf8))
    let code = AuthenticationCode(key: Array(secret.utf8)).code(of: Array(input.utf8))
    return input + "." + Base64URL.encode(code)
  }

  private static func header(_ changes: [String: JSONValue] = [:], without: String? = nil) -> JSONValue {
    change(["alg": "HS256", "kid": .string(MerchantCredentials.developmentKeyID)], changes, without)
  }

  private static func claims(_ changes: [String: JSONValue] = [:], without: String? = nil) -> JSONValue {
    change(
      [
        "iss": "onside", "aud": "onside", "sub": .string(MerchantCredentials.developmentID), "nbf": .number(now - 1),
        "exp": .number(now + 29), "jti": "once",
      ],
      changes,
      without
    )
  }

  private static func change(
    _ members: [String: JSONValue],
    _ changes: [String: JSONValue],
    _ without: String?
  ) -> JSONValue {
    .object(members.merging(changes) { $1 }.filter { $0.key != without })
  }

  private func refusal(
    of token: String,
    _ credentials: MerchantCredentials = MerchantCredentials()
  ) async -> MerchantTokenError? {
    do throws(MerchantTokenError) {
      _ = try MerchantTokenCheck(credentials).claims(
        of: token, at: BridgeInstant(millisecondsSinceEpoch: Self.now * 1000))
      return nil
    } catch {
      return error
    }
  }

  @Test(arguments: [
    claims(), claims(["aud": ["others", "onside"]]), claims(["iat": .number(now)]), claims(["nbf": .number(now)]),
    claims(["nbf": .number(now - 0.5), "exp": .number(now + 29.5)]), claims(["more": [["nested": nil]]]),
    claims(["nbf": .number(now + 5), "exp": .number(now + 35)]),
    claims(["nbf": .number(now - 34), "exp": .number(now - 4)]), claims(["sub": "another"]),
    claims(["jti": .string(String(repeating: "j", count: 256))]),
  ])
  func `a token as in the contract is accepted, also within the clock skew`(claims: JSONValue) async {
    #expect(await refusal(of: Self.token(claims: claims)) == nil)
  }

  @Test func `a valid token returns merchant, token id and end`() async throws {
    let claims = try MerchantTokenCheck(MerchantCredentials()).claims(
      of: Self.token(), at: BridgeInstant(millisecondsSinceEpoch: Self.now * 1000))
    let end = BridgeInstant(millisecondsSinceEpoch: (Self.now + 29 + 5) * 1000)
    #expect(claims == .init(merchantID: MerchantCredentials.developmentID, tokenID: "once", end: end))
  }

  @Test(arguments: [
    (claims(["iss": "other"]), MerchantTokenError.issuer), (claims(without: "iss"), .issuer),
    (claims(["iss": ["onside"]]), .issuer), (claims(["aud": "other"]), .audience), (claims(["aud": []]), .audience),
    (claims(without: "aud"), .audience), (claims(["aud": ["other", 7]]), .audience),
    (claims(without: "sub"), .subject), (claims(["sub": 7]), .subject), (claims(without: "exp"), .window),
    (claims(without: "nbf"), .window), (claims(["exp": "soon"]), .window), (claims(["exp": true]), .window),
    (claims(["exp": .number(now + 29.001)]), .window), (claims(["exp": .number(now - 1)]), .window),
    (claims(["exp": .number(now - 2)]), .window), (claims(["exp": 1e300]), .window),
    (claims(["nbf": -1e300, "exp": 1e300]), .window), (claims(["nbf": 1e300, "exp": 1e301]), .window),
    (claims(["nbf": .number(now + 5.001), "exp": .number(now + 10)]), .notYetValid),
    (claims(["nbf": .number(now - 35), "exp": .number(now - 5)]), .expired), (claims(without: "jti"), .tokenID),
    (claims(["jti": ""]), .tokenID), (claims(["jti": 1]), .tokenID),
    (claims(["jti": .string(String(repeating: "j", count: 257))]), .tokenID), ("onside", .issuer),
    (.array([]), .issuer),
  ])
  func `a token with a bad claim is refused`(claims: JSONValue, error: MerchantTokenError) async {
    #expect(await refusal(of: Self.token(claims: claims)) == error)
  }

  @Test(arguments: [
    (header(["alg": "none"]), MerchantTokenError.algorithm), (header(["alg": "HS512"]), .algorithm),
    (header(["alg": "hs256"]), .algorithm), (header(["alg": "ES256"]), .algorithm),
    (header(["alg": .null]), .algorithm),
    (header(without: "alg"), .algorithm), (header(["kid": "other"]), .keyID),
    (header(without: "kid"), .keyID),
    (header(["kid": 1e300]), .keyID), (header(["crit": ["exp"]]), .malformed), (.array([]), .malformed),
  ])
  func `a token with a bad header is refused, though it is signed`(header: JSONValue, error: MerchantTokenError) async {
    #expect(await refusal(of: Self.token(header: header)) == error)
  }

  @Test func `a header with a huge number is accepted, and a deeply nested one is refused`() async {
    #expect(await refusal(of: Self.token(header: Self.header(["x": 1e300]))) == nil)
    let deep = String(repeating: "[", count: 3000)
    #expect(await refusal(of: Base64URL.encode(Array(deep.utf8)) + ".e30.e30") == .malformed)
  }

  @Test func `a token without a valid signature is refused`() async {
    let token = Self.token()
    let parts = token.split(separator: ".").map(String.init)
    let others = Self.token(claims: Self.claims(["sub": "another"])).split(separator: ".").map(String.init)
    #expect(await refusal(of: Self.token(secret: MerchantCredentials.developmentSecret + "!")) == .signature)
    #expect(await refusal(of: parts[0] + "." + others[1] + "." + parts[2]) == .signature)
    #expect(await refusal(of: parts[0] + "." + parts[1] + ".") == .signature)
    #expect(await refusal(of: token.dropLast(4) + "AAAA") == .signature)
  }

  @Test(arguments: [
    "", ".", "..", "a.b", "a.b.c.d", "e30.e30", "e30=.e30.e30", "🌉.🌉.🌉", token() + ".", token() + "=",
    token() + " ", token() + "\n", " " + token(), token() + "A", token() + String(repeating: "A", count: 8192),
  ])
  func `a text that is not a token is refused`(text: String) async {
    let refusal = await refusal(of: text)
    #expect(refusal == .malformed || refusal == .algorithm || refusal == .signature)
  }

  @Test func `a payload that is not JSON is refused`() async {
    let input = Self.token().prefix { $0 != "." } + "." + Base64URL.encode(Array("hello".utf8))
    let key = AuthenticationCode(key: Array(MerchantCredentials.developmentSecret.utf8))
    let code = key.code(of: Array(input.utf8))
    #expect(await refusal(of: input + "." + Base64URL.encode(code)) == .malformed)
  }

  @Test func `the clock skew can be set`() async throws {
    let late = Self.token(claims: Self.claims(["nbf": .number(Self.now - 31), "exp": .number(Self.now - 1)]))
    #expect(await refusal(of: late) == nil)
    #expect(await refusal(of: late, try MerchantCredentials(clockSkew: 0)) == .expired)
  }

  @Test(arguments: [
    MerchantTokenError.missing, .malformed, .algorithm, .keyID, .signature, .issuer, .audience, .subject, .window,
    .notYetValid, .expired, .tokenID, .replayed,
  ])
  func `no refusal contains a value of the token or the credentials`(error: MerchantTokenError) {
    #expect(!error.description.contains(MerchantCredentials.developmentSecret))
    #expect(!error.description.contains(MerchantCredentials.developmentKeyID))
    #expect(error.description.hasSuffix("."))
  }
}
