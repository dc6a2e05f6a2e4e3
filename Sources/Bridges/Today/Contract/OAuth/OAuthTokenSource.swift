public import BridgeRuntime

/// A source that exchanges a refresh token for access tokens (RFC 6749, section 6).
///
/// A new refresh token in an answer replaces the old one at once. Exchanges never overlap: with rotation, a second one
/// would send a used refresh token, and the endpoint might revoke the session.
public actor OAuthTokenSource: TokenSource {
  private let endpoint: any OAuthTokenEndpoint
  private let clock: any BridgeClock
  private let didRotate: @Sendable (Secret) async -> Void
  private let didFail: @Sendable (TokenError) async -> Void
  private var credentials: OAuthCredentials
  private var lastExchange: Task<Void, Never>?

  /// Creates a source.
  ///
  /// - Parameters:
  ///   - endpoint: The token endpoint.
  ///   - credentials: The client's credentials.
  ///   - clock: The time of issue.
  ///   - didRotate: Called with each new refresh token before the access token is returned, to save it for the next
  ///     start.
  ///   - didFail: Called with the error of each exchange that fails, for a log. The error contains no secrets.
  public init(
    endpoint: any OAuthTokenEndpoint,
    credentials: OAuthCredentials,
    clock: any BridgeClock = SystemBridgeClock(),
    didRotate: @escaping @Sendable (Secret) async -> Void = { _ in },
    didFail: @escaping @Sendable (TokenError) async -> Void = { _ in }
  ) {
    self.endpoint = endpoint
    self.credentials = credentials
    self.clock = clock
    self.didRotate = didRotate
    self.didFail = didFail
  }

  /// Exchanges the refresh token, after a pending exchange has ended.
  ///
  /// - Throws: ``TokenError`` if the endpoint gives no token.
  public func refresh() async throws(TokenError) -> AccessToken {
    let previous = lastExchange
    let exchange = Task { () -> Result<AccessToken, TokenError> in
      await previous?.value
      let outcome = await self.exchange()
      if case .failure(let error) = outcome { await self.didFail(error) }
      return outcome
    }
    lastExchange = Task { _ = await exchange.value }
    return try await exchange.value.get()
  }

  private func exchange() async -> Result<AccessToken, TokenError> {
    guard
      let (status, body) =
        try? await endpoint.post(form: form, authorization: credentials.authorization)
    else { return .failure(.unreachable) }
    do throws(TokenError) {
      let response = try OAuthTokenResponse(status: status, body: body, receivedAt: clock.now)
      if let refreshToken = response.refreshToken, refreshToken != credentials.refreshToken {
        credentials.refreshToken = refreshToken
        await didRotate(refreshToken)
      }
      return .success(response.token)
    } catch {
      return .failure(error)
    }
  }

  private var form: [(String, String)] {
    var form = [("grant_type", "refresh_token"), ("refresh_token", credentials.refreshToken.reveal())]
    if let scope = credentials.scope { form.append(("scope", scope)) }
    if let audience = credentials.audience { form.append(("audience", audience)) }
    // A client authenticates in one way only (RFC 6749, section 2.3).
    guard credentials.authorization == nil else { return form }
    if let clientID = credentials.clientID { form.append(("client_id", clientID)) }
    if let clientSecret = credentials.clientSecret { form.append(("client_secret", clientSecret.reveal())) }
    return form
  }
}
