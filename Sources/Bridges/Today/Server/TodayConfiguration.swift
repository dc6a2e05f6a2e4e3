public import BridgeCore
public import BridgeRuntime
import Essentials
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
  /// The origins whose documents are trusted; nil trusts only the origin of `--site-origin`, or that of the only `--site`.
  public var trustedOrigins: [String]?
  /// The paths at and below which documents are trusted.
  public var trustedPaths = ["/"]
  /// Whether `headers` waits for a new token if there is none at hand or it has expired. By default it answers with the token at hand.
  public var headersRenewToken = false
  /// How long the built-in issuer takes for a new token, in real time, also if the session's clock stands still. What a page, its frames and
  /// its tabs ask for meanwhile shares one refresh.
  public var refreshDelay = Duration.milliseconds(50)
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

  /// Returns which documents are trusted, for sites with these origins in production.
  func trust(siteOrigins: [String]) throws(TodaySettingsError) -> TrustPolicy {
    let usual = isUndecided(siteOrigins: siteOrigins) ? [] : siteOrigins
    return try TrustPolicy(trustedOrigins: trustedOrigins ?? usual, trustedPaths: trustedPaths)
  }

  /// Whether several sites could be trusted, and nobody has said which. Then none is.
  func isUndecided(siteOrigins: [String]) -> Bool { trustedOrigins == nil && siteOrigins.count > 1 }
}

/// Names of time zones, such as Europe/Berlin (IANA Time Zone Database). Only pages need their meaning.
package enum TimeZoneName {
  /// The machine's time zone; `GMT` if it is unknown.
  static var current: String {
    let settings = [
      getenv("TZ").map { String(cString: $0) },
      try? FileManager.default.destinationOfSymbolicLink(atPath: "/etc/localtime"),
    ]
    for setting in settings.compactMap(\.self) {
      let name = setting.split(separator: "/zoneinfo/", maxSplits: 1).last.map(String.init) ?? setting
      if isKnown(name) { return name }
    }
    return "GMT"
  }

  /// Whether there is such a time zone. Without the database, any text that could be a name is accepted.
  package static func isKnown(_ name: String) -> Bool {
    guard isText(name) else { return false }
    return folders.contains { isFile("\($0)/\(name)") }
      || !folders.contains { FileManager.default.fileExists(atPath: $0) }
  }

  /// Whether a text could be a name: parts of letters, digits, `+`, `_` and `-`, with slashes between them. Begins with a letter.
  private static func isText(_ name: String) -> Bool {
    let parts = name.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    func isLetter(_ byte: UInt8) -> Bool { 0x61...0x7A ~= byte | 0x20 }
    return name.utf8.count <= 64 && name.utf8.first.map(isLetter) == true
      && parts.allSatisfy { part in
        !part.isEmpty && part.allSatisfy { isLetter($0) || 0x30...0x39 ~= $0 || "+_-".utf8.contains($0) }
      }
  }

  private static func isFile(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  /// Where systems keep the database.
  private static let folders = ["/usr/share/zoneinfo", "/var/db/timezone/zoneinfo"]
}
