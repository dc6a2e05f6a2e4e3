/// An option of a server. Its flag, its environment variable and its key in `footbridge.yaml` follow from one name.
///
/// The command line declares its flags with these names, and tests compare them with the manual.
public enum ServerOption: String, Sendable, Hashable, CaseIterable {
  // The site.
  case root, spa, watch, proxy, proxyTimeout, proxyHost, proxyRewriteLinks, proxyInsecure, proxyHttp1, site, onlySites,
    siteToken
  case exclude, requestHeader, responseHeader, accessLog, har, catalog, config
  // The addresses of the server, and its clients.
  case host, port, tlsPort, tlsCert, tlsKey, dashboardPort, siteOrigin, allowHost, allowOrigin, trustedProxy
  // Pages, sessions and the control API.
  case platform, framedApp, onsideContract, present, scenario, seed, controlToken, controlTokenFile, openMetrics
  // The process.
  case state, stateKey, replicaAddress, replicaLease, ephemeral, `import`, exportOnExit, drainTimeout, eventLoop
  case logLevel

  /// The name of the flag, without its dashes: `site-origin`.
  public var flagName: String { words.joined(separator: "-") }

  /// The flag: `--site-origin`.
  public var flag: String { "--" + flagName }

  /// The environment variable: `FOOTBRIDGE_SITE_ORIGIN`.
  public var variable: String { "FOOTBRIDGE_" + words.joined(separator: "_").uppercased() }

  /// The key in `footbridge.yaml`: `siteOrigin`. Nil for the option that names this file.
  public var key: String? { self == .config ? nil : rawValue }

  /// Whether the value is the path of a file or folder that must exist. In `footbridge.yaml`, such a path starts at the folder of that
  /// file.
  var isPathOfInput: Bool {
    switch self {
    case .root, .catalog, .tlsCert, .tlsKey, .controlTokenFile, .stateKey, .import: true
    default: false
    }
  }

  /// Whether the value is `true` or `false`.
  var isFlag: Bool {
    switch self {
    case .spa, .watch, .proxyRewriteLinks, .proxyInsecure, .proxyHttp1, .onlySites, .framedApp, .openMetrics,
      .ephemeral:
      true
    default: false
    }
  }

  /// Whether the option can have several values: the flag can be repeated, the variable has separators, and the file has a list.
  var isRepeatable: Bool {
    switch self {
    case .site, .exclude, .requestHeader, .responseHeader, .allowHost, .allowOrigin, .trustedProxy: true
    default: false
    }
  }

  /// Whether the values are header fields. The file may have them as a mapping.
  var isFields: Bool { self == .requestHeader || self == .responseHeader }

  /// The separator of several values in a variable: a comma. Header fields contain commas, so theirs is a line feed.
  public var separator: String { isFields ? "\n" : "," }

  private var words: [String] {
    var words = [""]
    // Bytes, since a start makes the names of all options hundreds of times. The names of the cases are ASCII.
    for byte in rawValue.utf8 {
      let isUppercase = 0x41...0x5A ~= byte
      if isUppercase { words.append("") }
      words[words.count - 1].unicodeScalars.append(Unicode.Scalar(isUppercase ? byte | 0x20 : byte))
    }
    return words
  }
}
