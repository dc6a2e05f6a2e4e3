/// How a browser with windows reaches the listed sites under their own origins, if that can be without the other sites.
public struct OwnOriginAccess: Sendable, Hashable {
  /// The address of the proxy, such as `http://127.0.0.1:8080`.
  public let proxy: String
  /// Chromium's flags.
  public let chromiumFlags: [String]
  /// The same for a Chromium that trusts the authority.
  public var chromiumFlagsOfTrust: [String] {
    chromiumFlags.filter { !$0.hasPrefix("--ignore-certificate-errors-spki-list=") }
  }
  /// The certificate of the authority that issues those of the sites, as PEM. Its name constraints allow the sites and this machine.
  public let authority: String

  /// The address of the script (PAC) with which only the listed sites go through the proxy.
  public var script: String { proxy + "/__footbridge/proxy.pac" }
}
