public import BridgeCore
public import BridgeRuntime
public import Today

/// The configuration of the Today bridge: the `today` section of `footbridge.yaml`.
public struct TodayConfiguration: Sendable {
  /// Where tokens come from.
  public enum TokenOrigin: Sendable {
    /// Footbridge issues them: signed JSON Web Tokens with this lifetime and these claims.
    case builtIn(lifetime: Duration, claims: [String: JSONValue])
    /// An OAuth 2.0 token endpoint at this `http` or `https` URL redeems refresh tokens for them.
    case endpoint(url: String, OAuthCredentials)
  }

  /// Whether pages have the bridge.
  public var isEnabled = true
  /// Whether someone is signed in when a session starts.
  public var isSignedIn = true
  /// The headers without secrets that trusted surfaces get.
  public var extraHeaders = FeedExtraHeaders.none
  /// The origins whose documents are trusted; nil trusts only the origin of `--site-origin`, if there is one.
  public var trustedOrigins: [String]?
  /// The paths at and below which documents are trusted.
  public var trustedPaths = ["/"]
  /// Where tokens come from.
  public var token = TokenOrigin.builtIn(lifetime: .seconds(3600), claims: [:])
  /// The `http` or `https` URL to post tracked events to; nil keeps them in the session's log only.
  public var trackURL: String?
  /// The key that tracked events are posted with, PostHog's `api_key`.
  public var trackKey: Secret?
  /// The `uid` of tracked events while someone is signed in; nil for an unknown user.
  public var userID: String? = "footbridge-user"
  /// The `did` of tracked events; nil gives each session its own.
  public var deviceID: String?
  /// The `sid` of tracked events; nil gives each launch its own.
  public var sessionID: String?
  /// The `tz` of tracked events, an IANA name; nil for the machine's.
  public var timeZone: String?
  /// The `ctx` of tracked events.
  public var context: [String: JSONValue] = [:]

  /// The default configuration.
  public init() {}

  /// Returns which documents are trusted, for a site with the production origin `siteOrigin`.
  func trust(siteOrigin: String?) throws(TodaySettingsError) -> TrustPolicy {
    try TrustPolicy(trustedOrigins: trustedOrigins ?? siteOrigin.map { [$0] } ?? [], trustedPaths: trustedPaths)
  }
}
