import BridgeCore
import BridgeRuntime
import BridgeServer
import Essentials
import HTTP1
import Sessions
import Today

/// Reads the `today` section of the YAML file. Errors do not repeat its values, which may be secrets.
struct TodaySection: Sendable {
  /// The configuration that the section sets.
  private(set) var configuration = TodayConfiguration()

  /// An empty section.
  init() {}

  /// Reads the section.
  init(_ node: InputNode) throws(OptionError) {
    let section = try node.section([
      "enabled", "signedIn", "feedExtraHeaders", "headersRenewToken", "refreshDelay", "trustedOrigins",
      "trustedPaths", "token", "track", "identity",
    ])
    if let enabled = section["enabled"] { configuration.isEnabled = try enabled.bool() }
    if let signedIn = section["signedIn"] { configuration.isSignedIn = try signedIn.bool() }
    if let headers = section["feedExtraHeaders"] { configuration.extraHeaders = try Self.headers(headers) }
    if let renews = section["headersRenewToken"] { configuration.headersRenewToken = try renews.bool() }
    if let origins = section["trustedOrigins"] {
      configuration.trustedOrigins = try Self.texts(origins, "an origin such as https://today.example") {
        URL(string: $0).flatMap(HTTPOrigin.init(onlyIn:)) != nil
      }
    }
    if let paths = section["trustedPaths"] {
      configuration.trustedPaths = try Self.texts(paths, "a path that begins with a slash") { $0.hasPrefix("/") }
    }
    if let token = section["token"] { configuration.token = try Self.token(token) }
    if let delay = section["refreshDelay"] {
      guard case .builtIn = configuration.token else {
        throw delay.expected("left out when there is the url of a token endpoint: it takes its own time")
      }
      configuration.refreshDelay = try delay.roundTrip()
    }
    if let track = section["track"] { try readTrack(track) }
    if let identity = section["identity"] { try readIdentity(identity) }
  }

  private static func headers(_ node: InputNode) throws(OptionError) -> FeedExtraHeaders {
    var values: [String: String] = [:]
    for (name, value) in try node.members() {
      values[name] = try value.text()
      do {
        _ = try FeedExtraHeaders(values)
      } catch {
        throw value.expected("one line under the name of a header other than Authorization")
      }
    }
    // Each header was checked above.
    return (try? FeedExtraHeaders(values)) ?? .none
  }

  private static func texts(
    _ node: InputNode,
    _ expectation: String,
    where isGood: (String) -> Bool
  ) throws(OptionError) -> [String] {
    var texts: [String] = []
    for element in try node.elements() {
      let text = try element.text()
      guard isGood(text) else { throw element.expected(expectation) }
      texts.append(text)
    }
    return texts
  }

  private static func token(_ node: InputNode) throws(OptionError) -> TodayConfiguration.TokenOrigin {
    let members = try node.section(["lifetime", "claims", "url"] + endpointMembers)
    let builtIn = ["lifetime", "claims"].filter { members[$0] != nil }
    guard let url = members["url"] else {
      for name in endpointMembers {
        if let member = members[name] { throw member.expected("left out, or next to the url of a token endpoint") }
      }
      let lifetime = try members["lifetime"]?.integer(in: 1...315_360_000) ?? 3600
      var claims: [String: JSONValue] = [:]
      for (name, value) in try members["claims"]?.members() ?? [] { claims[name] = try value.json() }
      return .builtIn(lifetime: .seconds(lifetime), claims: claims)
    }
    if let name = builtIn.first, let member = members[name] {
      throw member.expected("left out when there is the url of a token endpoint: it decides itself")
    }
    guard let refreshToken = try members["refreshToken"]?.text(), !refreshToken.isEmpty else {
      throw node.expected("given a refreshToken to show to the token endpoint")
    }
    var credentials = OAuthCredentials(
      refreshToken: Secret(refreshToken), clientID: try members["clientId"]?.text(),
      clientSecret: try members["clientSecret"]?.text().secret)
    credentials.scope = try members["scope"]?.text()
    credentials.audience = try members["audience"]?.text()
    if let node = members["clientAuthentication"] {
      credentials.authentication = try node.choice(OAuthClientAuthentication.self)
      guard credentials.authentication == .post || credentials.clientID != nil && credentials.clientSecret != nil else {
        throw node.expected("given next to clientId and clientSecret")
      }
    }
    return .endpoint(url: try webURL(url), credentials)
  }

  /// The settings of a token endpoint besides its address.
  private static let endpointMembers = [
    "refreshToken", "clientId", "clientSecret", "clientAuthentication", "scope", "audience",
  ]

  private mutating func readTrack(_ node: InputNode) throws(OptionError) {
    let members = try node.section(["url", "key"])
    configuration.trackURL = try members["url"].map { node throws(OptionError) in try Self.webURL(node) }
    configuration.trackKey = try members["key"]?.text().secret
  }

  private mutating func readIdentity(_ node: InputNode) throws(OptionError) {
    let members = try node.section(["uid", "did", "sid", "tz", "ctx"])
    if let user = members["uid"] { configuration.userID = try user.isNull ? nil : user.text() }
    configuration.deviceID = try members["did"]?.text()
    configuration.sessionID = try members["sid"]?.text()
    if let timeZone = members["tz"] {
      configuration.timeZone = try timeZone.text()
      guard TimeZoneName.isKnown(try timeZone.text()) else {
        throw timeZone.expected("the IANA name of a time zone, such as Europe/Berlin")
      }
    }
    for (name, value) in try members["ctx"]?.members() ?? [] { configuration.context[name] = try value.json() }
  }

  private static func webURL(_ node: InputNode) throws(OptionError) -> String {
    let text = try node.text()
    guard let url = URL(string: text), HTTPOrigin(url) != nil, url.user == nil, url.fragment == nil else {
      throw node.expected("an http or https URL")
    }
    return text
  }
}

extension String {
  fileprivate var secret: Secret { Secret(self) }
}
