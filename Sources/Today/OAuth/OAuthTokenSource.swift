public import BridgeRuntime

/// A source that redeems a refresh token (RFC 6749, section 6).
///
/// A refresh token that came with an answer takes the place of the old one at once, whether or not anyone still wants the access token.
/// Two exchanges never overlap: with rotation the second would show a token that is spent, and might cost the whole session.
public actor OAuthTokenSource: TokenSource {
  private let endpoint: any OAuthTokenEndpoint
  private let clock: any BridgeClock
  private let didRotate: @Sendable (Secret) async -> Void
  private var credentials: OAuthCredentials
  private var lastExchange: Task<Void, Never>?

  /// Creates a source. `didRotate` is called with each new refresh token before the access token is handed out, to keep it for the next
  /// start.
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

  /// Redeems the refresh token, after the exchange that is under way, if there is one.
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
