public import BridgeCore
public import BridgeRuntime

/// A source that issues signed JSON Web Tokens (RFC 7519) with claims of the developer's choice.
public struct JWTTokenSource: TokenSource {
  /// The longest lifetime: ten years.
  public static let maximumLifetime: Duration = .seconds(10 * 365 * 86_400)

  private let signer: any TokenSigner
  private let claims: [String: JSONValue]
  private let lifetime: Duration
  private let roundTrip: Duration
  private let clock: any BridgeClock
  private let random: BridgeRandom

  /// Creates a source. It sets `iat`, `exp` and `jti` of each token, which replace claims of the same names.
  ///
  /// - Parameters:
  ///   - signer: Signs the tokens.
  ///   - claims: The claims of each token.
  ///   - lifetime: The lifetime of each token, from one second to ``maximumLifetime``.
  ///   - roundTrip: How long ``refresh()`` takes, in real time: as long as the way to a real issuer.
  ///   - clock: The time of issue.
  ///   - random: The identifiers of tokens.
  ///
  /// - Throws: ``TodaySettingsError/lifetime`` when the lifetime is out of range.
  public init(
    signer: any TokenSigner,
    claims: [String: JSONValue],
    lifetime: Duration,
    roundTrip: Duration = .zero,
    clock: any BridgeClock = SystemBridgeClock(),
    random: BridgeRandom = BridgeRandom()
  ) throws(TodaySettingsError) {
    guard lifetime >= .seconds(1), lifetime <= Self.maximumLifetime else { throw .lifetime }
    self.signer = signer
    self.claims = claims
    self.lifetime = lifetime
    self.roundTrip = roundTrip
    self.clock = clock
    self.random = random
  }

  /// Issues a token.
  ///
  /// - Throws: ``TokenError/signing``, and ``TokenError/invalidResponse`` when the token is too long.
  public func refresh() async throws(TokenError) -> AccessToken {
    // It is never cancelled.
    if roundTrip > .zero { try? await Task.sleep(for: roundTrip) }
    let now = clock.now
    guard let token = try? await signer.sign(claims: claims(at: now)) else { throw .signing }
    return try AccessToken(token, lifetime: lifetime, issuedAt: now)
  }

  /// Issues a token at once, if the signer can.
  public func token() -> AccessToken? {
    let now = clock.now
    guard let token = signer.signature(of: claims(at: now)) else { return nil }
    return try? AccessToken(token, lifetime: lifetime, issuedAt: now)
  }

  private func claims(at now: BridgeInstant) -> [String: JSONValue] {
    var claims = claims
    claims["iat"] = .number(seconds(now))
    claims["exp"] = .number(seconds(now.advanced(by: lifetime)))
    claims["jti"] = .string(random.uuid())
    return claims
  }

  private func seconds(_ instant: BridgeInstant) -> Double { (instant.millisecondsSinceEpoch / 1000).rounded(.down) }
}
