public import BridgeRuntime

/// A source that exchanges a refresh token for access tokens (RFC 6749, section 6).
///
/// A new refresh token in an answer replaces the old one at once. Exchanges never overlap: with rotation, a second one
/// would send a used refresh token, and the endpoint might revoke the session.
public actor OAuthTokenSource: TokenSource {
  private let endpoint: any OAuthTokenEndpoint
  private let clock: any BridgeClock
  private let didRotate: @Sendable (Secret) async -> Void
  private var credentials: OAuthCredentials
  private var lastExchange: Task<Void, Never>?

  /// Creates a source.
  ///
  /// - Parameters:
  ///   - endpoint: The token endpoint.
  ///   - credentials: The client's credentials.
  ///   - clock: The time of issue.
  ///   - didRotate: Is called with each new refresh token before the access token is returned, to save it for the next
  ///     start.
  public init(
    endpoint: any OAuthTokenEndpoint,
    credentials: OAuthCredentials,
    clock: any BridgeClock = SystemBridgeClock(),
    didRotate: @escaping @Sendable (Secret) async -> Void = { _ in }
  ) {
    self.endpoint = endpoint
    self.credentials = credentials
    self.clock = clock
    self.didRotate = didRotate
  }

  /// Exchanges the refresh token, after a pending exchange has ended.
  public func refresh() async throws(TokenError) -> AccessToken {
    let previous = lastExchange
    let exchange = Task { () -> Result<AccessToken, TokenError> in
      await previous?.value
      return await self.exchange()
    }
    lastExchange = Task { _ = await exchange.value }
    return try await exchange.value.get()
  }

  private func exchange() async -> Result<AccessToken, TokenError> {
    guard let (status, body) = try? await endpoint.post(form: form) else { return .failure(.unreachable) }
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
    if let clientID = credentials.clientID { form.append(("client_id", clientID)) }
    if let clientSecret = credentials.clientSecret { form.append(("client_secret", clientSecret.reveal())) }
    return form
  }
}
