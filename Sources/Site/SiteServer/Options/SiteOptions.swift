public import BridgeRuntime
package import Sessions

/// What is set about the site: where its documents come from, and what is changed on their way.
public struct SiteOptions: Sendable {
  /// The folder to serve. Nil serves the demo, unless there is an upstream server.
  public var root: String?
  /// Whether a browser that opens a path without a file gets the root's `index.html`, as single-page applications need.
  public var isSinglePage = false
  /// Whether pages reload when a file in the root changes.
  public var watchesRoot = false
  /// The sites that browsers see under their own origins, with the server as their proxy.
  public var sites: [ListedSite] = []
  /// Whether the proxy refuses everything but these sites.
  public var onlySites = false
  /// The password of the proxy. With one, other machines may use the proxy; without one, only this machine may.
  public var siteToken: Secret?
  /// The paths of the site to leave alone, each with everything below it: no shim, and unchanged responses.
  public var excludedPaths = ExcludedPaths()
  /// Header fields to add to responses of the site. Without a value, the field is removed.
  public var responseHeaders = FieldChanges()
  /// Whether a page in a test runner's frame, such as Cypress's, counts as the app's main frame. Both must have the same origin.
  public var isAppFramed = false
  /// Whether all documents come with the linter's script, as those of sessions do that a program drives. Otherwise pages load it when there is
  /// something to check, and a page that ends at once may not be checked.
  public var lintsFromStart = false
  /// The phone that pages are to find.
  public var phone = PhoneOptions()
  /// The upstream servers.
  public var upstream = ProxyOptions()
  /// The records of the traffic.
  public var traffic = TrafficOptions()
  /// The certificate of the server.
  public var tls = TLSOptions()
  /// The addresses of the server, and its clients.
  public var access = AccessOptions()

  package init() {}

  /// The origin of the first listed site; nil if none is listed.
  public var firstSite: String? { sites.first?.origin.description }
}

extension ServerOption {
  package static let root = ServerOption(
    "root", .pathOfInput, "dir", help: "The folder of the site. (default: the demo)")
  package static let spa = ServerOption(
    "spa", .flag, help: "Answer paths without a file with the root's index.html, as single-page applications need.")
  package static let watch = ServerOption("watch", .flag, help: "Reload pages when a file in the root changes.")
  package static let proxy = ServerOption(
    "proxy", .text, "url", help: "The upstream server to stand in front of, instead of a folder.")
  package static let site = ServerOption(
    "site", .list, "origin[=url]",
    help:
      "A site that browsers see under its own origin, with this server as their proxy. url is the server to get it from. Can be repeated."
  )
  package static let onlySites = ServerOption(
    "onlySites", .flag, help: "As a proxy, refuse everything but these sites.")
  package static let siteToken = ServerOption(
    "siteToken", .text, "token",
    help: "The password of the proxy. With one, other machines may use it. (default: only this machine may)")
  package static let exclude = ServerOption(
    "exclude", .list, "path",
    help:
      "A path of the site to leave alone, with everything below it: no shim. * stands for any characters. Can be repeated."
  )
  package static let responseHeader = ServerOption(
    "responseHeader", .fields, "name: value",
    help: "A header for responses of the site; without a value, the header is removed. Can be repeated.")
  package static let framedApp = ServerOption(
    "framedApp", .flag,
    help: """
      Treat a page in a test runner's frame as the app's main frame, if both have the same origin. For \
      Cypress.
      """)
}

/// How the options are read.
extension SiteOptions {
  package static let options: [ServerOption] = [
    .root, .spa, .watch, .proxy, .site, .onlySites, .siteToken, .exclude, .responseHeader, .framedApp,
  ]

  /// - Parameter routes: The upstream servers for parts of the site, from the file.
  package init(_ values: OptionValues, routes: [String: String]) throws(OptionError) {
    upstream = try ProxyOptions(values)
    upstream.routes = routes
    (root, upstream.proxy, sites) = try Self.place(values, routes)
    isSinglePage = try isSetForRoot(.spa, values)
    watchesRoot = try isSetForRoot(.watch, values)
    onlySites = try isSetForSites(.onlySites, values)
    siteToken = try siteToken(values)
    excludedPaths = try values.texts(.exclude) { (texts) throws(SiteError) in try ExcludedPaths(texts) }
    responseHeaders = try values.texts(.responseHeader) { (texts) throws(SiteError) in
      try FieldChanges(texts, option: ServerOption.responseHeader.flag)
    }
    isAppFramed = try values.isSet(.framedApp)
    phone = try PhoneOptions(values)
    traffic = TrafficOptions(values)
    tls = try TLSOptions(values)
    access = try AccessOptions(values)
  }

  /// The root, the proxy or the sites, from the first source that has one of them.
  private static func place(
    _ values: OptionValues, _ routes: [String: String]
  ) throws(OptionError) -> (root: String?, proxy: String?, sites: [ListedSite]) {
    for kind in OptionValues.Kind.allCases {
      let (root, proxy, sites) = (values[.root, kind], values[.proxy, kind], values[.site, kind])
      if let sites, let other = root ?? proxy {
        throw OptionError(
          "\(sites.source) and \(other.source) are mutually exclusive: browsers reach sites under their own origins, or one site at this server's address. Use one of them."
        )
      }
      if let root, let proxy {
        throw OptionError(
          "\(root.source) and \(proxy.source) are mutually exclusive: the site is a folder or another server. Use one of them."
        )
      }
      if let root, routes["/"] != nil {
        throw OptionError(
          "\(root.source) and / in routes are mutually exclusive: the site is a folder or another server. Use one of them."
        )
      }
      if sites != nil {
        guard routes.isEmpty else {
          throw OptionError(
            "\(ServerOption.site.flag) and routes are mutually exclusive: a site has one upstream. Use one of them.")
        }
        return (nil, nil, try values.list(.site) { (text) throws(SiteError) in try ListedSite(text) })
      }
      if proxy != nil {
        _ = try values.parsed(.proxy) { (text) throws(SiteError) in try ProxyOptions.checkRoute(from: "/", to: text)
        }
      }
      if root != nil || proxy != nil { return (root?.value, proxy?.value, []) }
    }
    return (nil, nil, [])
  }

  /// Whether an option about sites under their own origins is on.
  private func isSetForSites(_ option: ServerOption, _ values: OptionValues) throws(OptionError) -> Bool {
    guard try values.isSet(option) else { return false }
    guard sites.isEmpty else { return true }
    let source = values[option]?.source ?? option.flag
    throw OptionError("\(source) needs a site. Set it with \(ServerOption.site.flag).")
  }

  /// The password of the proxy. Only a variable may be set without a site: it may be meant for another server.
  private func siteToken(_ values: OptionValues) throws(OptionError) -> Secret? {
    guard let (token, source) = values[.siteToken] else { return nil }
    guard !sites.isEmpty || values.kind(of: .siteToken) == .variable else {
      throw OptionError("\(source) needs a site. Set it with \(ServerOption.site.flag).")
    }
    guard ControlToken.isWellFormed(token) else {
      throw OptionError("\(source) is not a token. Use letters, digits and - . _ ~ + / only, and = only at the end.")
    }
    return Secret(token)
  }

  /// Whether an option about the root is on. It does not count if a stronger source has replaced the root with a proxy.
  private func isSetForRoot(_ option: ServerOption, _ values: OptionValues) throws(OptionError) -> Bool {
    guard try values.isSet(option) else { return false }
    if root != nil { return true }
    if let kind = values.kind(of: option), let replaced = values.kind(of: .root), kind >= replaced { return false }
    let source = values[option]?.source ?? option.flag
    throw OptionError("\(source) needs a folder. Set it with \(ServerOption.root.flag).")
  }
}
