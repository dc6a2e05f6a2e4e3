import SiteServer
package import Sessions
import BridgeRuntime
import Essentials

/// Options that are mutually exclusive.
extension OptionSources {
  /// The root, the proxy or the sites, from the first source that has one of them.
  func site() throws(OptionError) -> (root: String?, proxy: String?, sites: [String]) {
    for kind in Kind.allCases {
      let (root, proxy, sites) = (self[.root, kind], self[.proxy, kind], self[.site, kind])
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
      if let root, file?.routes["/"] != nil {
        throw OptionError(
          "\(root.source) and / in routes are mutually exclusive: the site is a folder or another server. Use one of them."
        )
      }
      if sites != nil {
        guard file?.routes.isEmpty ?? true else {
          throw OptionError(
            "\(ServerOption.site.flag) and routes are mutually exclusive: a site has one upstream. Use one of them.")
        }
        return (nil, nil, try list(.site) { (text) throws(SiteError) in _ = try ListedSite(text) })
      }
      if root != nil || proxy != nil { return (root?.value, proxy?.value, []) }
    }
    return (nil, nil, [])
  }

  /// Whether an option about sites under their own origins is set.
  func isSetForSites(_ option: ServerOption, _ sites: [String]) throws(OptionError) -> Bool {
    guard try isSet(option) else { return false }
    guard sites.isEmpty else { return true }
    let source = self[option]?.source ?? option.flag
    throw OptionError("\(source) needs a site. Set it with \(ServerOption.site.flag).")
  }

  /// The password of the proxy. Only a variable may be set without a site: it may be meant for another server.
  func siteToken(_ sites: [String]) throws(OptionError) -> Secret? {
    guard let (token, source) = self[.siteToken] else { return nil }
    guard !sites.isEmpty || kind(of: .siteToken) == .variable else {
      throw OptionError("\(source) needs a site. Set it with \(ServerOption.site.flag).")
    }
    guard ControlToken.isWellFormed(token) else {
      throw OptionError("\(source) is not a token. Use letters, digits and - . _ ~ + / only, and = only at the end.")
    }
    return Secret(token)
  }

  /// The folder of the YAML file, else the root; nil without both.
  func project() throws(OptionError) -> String? {
    if let file { return URL(fileURLWithPath: file.path).deletingLastPathComponent().path }
    return try site().root
  }

  /// The place of the state, or nil to keep nothing, from the first source with `--state` or `--ephemeral`.
  func state(default standard: String) throws(OptionError) -> String? {
    let state = self[.state]
    guard try isSet(.ephemeral), let ephemeral = self[.ephemeral], let kind = kind(of: .ephemeral) else {
      return state?.value ?? standard
    }
    guard let state, let stateKind = self.kind(of: .state), stateKind <= kind else { return nil }
    guard stateKind < kind else {
      throw OptionError(
        "\(ephemeral.source) and \(state.source) are mutually exclusive: keep the state in a folder, or keep nothing. Use one of them."
      )
    }
    return state.value
  }

  /// The file with the token of the control API; nil unless the first source that sets the token names a file.
  public func controlTokenFile() throws(OptionError) -> (path: String, source: String)? {
    for kind in Kind.allCases {
      let (token, file) = (self[.controlToken, kind], self[.controlTokenFile, kind])
      if let token, let file {
        throw OptionError(
          "\(token.source) and \(file.source) are mutually exclusive: both set the token of the control API. Use one of them."
        )
      }
      if token != nil { return nil }
      if let file { return (file.value, file.source) }
    }
    return nil
  }

  /// Whether an option about the root is set. It does not count if a stronger source has replaced the root with a proxy.
  func isSetForRoot(_ option: ServerOption, _ root: String?) throws(OptionError) -> Bool {
    guard try isSet(option) else { return false }
    if root != nil { return true }
    if let kind = kind(of: option), let replaced = self.kind(of: .root), kind >= replaced { return false }
    let source = self[option]?.source ?? option.flag
    throw OptionError("\(source) needs a folder. Set it with \(ServerOption.root.flag).")
  }
}
