package import BridgeCore
package import BridgeRuntime
import BridgeServer
import CookieJar
import Essentials
package import Sessions
import Today

/// The part of the Today host that all sessions share: the source of tokens and the target of events.
///
/// There is one source, since there is one refresh token, which rotates. Each session has its own access token.
@BridgeActor
package final class TodayBackend {
  /// The public key of built-in tokens as a JSON Web Key Set (RFC 7517); nil when a token endpoint issues the tokens.
  package let publicKeys: JSONValue?

  /// The file in the state directory with the key of built-in tokens, in PEM form.
  static let keyFileName = "today-signing-key.pem"

  /// Whether tokens come from a token endpoint.
  var hasEndpoint: Bool { publicKeys == nil }

  /// Whether someone is signed in when a session starts.
  var isSignedIn: Bool { configuration.isSignedIn }

  private let configuration: TodayConfiguration
  private let trust: TrustPolicy
  private let source: any TokenSource
  private let delivery: TrackDelivery?
  private let clock: any BridgeClock
  private var posters: [HTTPPoster] = []

  /// Creates the part of a server.
  ///
  /// - Throws: `TodaySettingsError` if the configuration cannot be used; an error if a file of the state directory cannot be read.
  package init(_ configuration: TodayConfiguration, _ server: ServerContext) throws {
    self.configuration = configuration
    let (state, clock, random) = (server.storage, server.clock, server.random)
    self.clock = clock
    trust = try configuration.trust(siteOrigins: server.siteOrigins)
    if configuration.isUndecided(siteOrigins: server.siteOrigins) {
      server.logger.notice(
        "Of several sites, none gets bearer tokens of Today: list those that do in today.trustedOrigins.")
    }
    switch configuration.token {
    case .builtIn(let lifetime, let claims):
      let signer = try SigningKey(state: state, fileName: Self.keyFileName)
      publicKeys = signer.publicKeys
      source = try JWTTokenSource(
        signer: signer, claims: claims, lifetime: lifetime, roundTrip: configuration.refreshDelay, clock: clock,
        random: random)
    case .endpoint(let url, let credentials):
      publicKeys = nil
      let rotated = try state.map {
        try RotatedRefreshToken($0, url: url, credentials: credentials, logger: server.logger)
      }
      var credentials = credentials
      credentials.refreshToken = try rotated?.read() ?? credentials.refreshToken
      for secret in [credentials.refreshToken, credentials.clientSecret] { if let secret { server.leaveOut(secret) } }
      guard let poster = HTTPPoster(url: url, timeout: .seconds(15)) else { throw TodaySettingsError.url(url) }
      posters.append(poster)
      source = OAuthTokenSource(
        endpoint: TokenEndpoint(poster: poster),
        credentials: credentials,
        clock: clock,
        didRotate: { token in
          await server.leaveOut(token)
          rotated?.store(token)
        },
        didFail: { [logger = server.logger] error in
          logger.warning("The token endpoint of today.token.url gave no token.", metadata: ["reason": "\(error)"])
        }
      )
    }
    if let url = configuration.trackURL {
      guard let poster = HTTPPoster(url: url, timeout: .seconds(5)) else { throw TodaySettingsError.url(url) }
      posters.append(poster)
      delivery = TrackDelivery(sender: EventCollector(poster: poster), key: configuration.trackKey, clock: clock)
    } else {
      delivery = nil
    }
  }

  /// The host of a session: the app on its device.
  func host(
    deviceID: String,
    launchID: String,
    isSignedIn: Bool?,
    platform: Platform,
    cookies: CookieStorage,
    clock: any BridgeClock,
    random: BridgeRandom
  ) -> TodayHost {
    let host = TodayHost(
      tokens: TokenStore(source: source, clock: clock, isSignedIn: isSignedIn ?? configuration.isSignedIn),
      cookies: cookies,
      trust: trust,
      identity: TrackIdentity(
        sessionID: configuration.sessionID ?? launchID,
        deviceID: configuration.deviceID ?? deviceID,
        userID: configuration.userID,
        platform: platform,
        timeZone: configuration.timeZone ?? TimeZoneName.current,
        context: configuration.context
      ),
      extraHeaders: configuration.extraHeaders,
      delivery: delivery,
      clock: clock,
      random: random
    )
    host.headersRenewToken = configuration.headersRenewToken
    return host
  }

  /// Sends the waiting events, and closes the connections to external servers.
  package func stop() async {
    await delivery?.drain()
    for poster in posters { poster.stop() }
  }
}

extension TodayDocument {
  /// A document for the bridge. Without a ticket, or with an unreadable URL, it does not count as a main frame.
  init(served url: URL?, isMainFrame: Bool) {
    self.init(siteURL: url ?? URL(filePath: "/"), frame: isMainFrame && url != nil ? .main : .crossOriginSubframe)
  }
}

/// Sends tracked events to a collector (`today.track.url`).
struct EventCollector: TrackSender {
  /// The collector has refused a batch.
  struct Refusal: Error {}

  /// Posts to the collector.
  let poster: HTTPPoster

  func send(batch: [UInt8]) async throws {
    let status = try await poster.post(batch, contentType: "application/json").status
    guard 200..<300 ~= status else { throw Refusal() }
  }
}

/// A real OAuth 2.0 token endpoint (`today.token.url`).
struct TokenEndpoint: OAuthTokenEndpoint {
  /// Posts to the endpoint.
  let poster: HTTPPoster

  func post(form: [(String, String)], authorization: Secret?) async throws -> (status: Int, body: [UInt8]) {
    try await poster.post(
      FormEncoding.body(form), contentType: "application/x-www-form-urlencoded", authorization: authorization)
  }
}
