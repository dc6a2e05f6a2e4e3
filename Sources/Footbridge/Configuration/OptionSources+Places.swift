/// Options that are mutually exclusive.
extension OptionSources {
  /// The folder of the site, or the server to stand in front of, from the first source that has one of them.
  func site() throws(OptionError) -> (root: String?, proxy: String?) {
    for kind in Kind.allCases {
      let (root, proxy) = (self[.root, kind], self[.proxy, kind])
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
      if root != nil || proxy != nil { return (root?.value, proxy?.value) }
    }
    return (nil, nil)
  }

  /// The folder for what outlives the server, or nil to keep nothing, from the first source that has either option.
  func state(default standard: String?) throws(OptionError) -> String? {
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

  /// Whether an option about the folder of the site is set. If a stronger source has replaced that folder by a server to stand in front of,
  /// the option does not count.
  func isSetForRoot(_ option: ServerOption, _ root: String?) throws(OptionError) -> Bool {
    guard try isSet(option) else { return false }
    if root != nil { return true }
    if let kind = kind(of: option), let replaced = self.kind(of: .root), kind >= replaced { return false }
    let source = self[option]?.source ?? option.flag
    throw OptionError("\(source) needs a folder. Set it with \(ServerOption.root.flag).")
  }
}
