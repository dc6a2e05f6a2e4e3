import HTTP1

/// The configuration of browsers for the forward proxy: Chromium's flags, and a script for other browsers.
package struct BrowserFlags: Sendable {
  private let sites: [ListedSite]

  package init(_ sites: [ListedSite]) {
    self.sites = sites
  }

  /// Chromium's flags: it then reaches the sites through the proxy at `address`, and accepts certificates with these hashes.
  package func chromium(proxy address: String, publicKeyHashes: [String]) -> [String] {
    var flags = ["--proxy-server=\(address)"]
    // Without this flag, Chromium uses no proxy for its own machine.
    if sites.contains(where: { Authority($0.origin.host)?.isTrustworthy ?? false }) {
      flags.append("--proxy-bypass-list=<-loopback>")
    }
    return flags + ["--ignore-certificate-errors-spki-list=" + publicKeyHashes.joined(separator: ",")]
  }

  /// The script (PAC) for browsers and systems that configure their proxy with one. Only the sites go through the proxy at `authority`.
  func autoConfiguration(proxy authority: String) -> String {
    var hosts: [String] = []
    for site in sites {
      hosts.append("\(site.origin.host):\(site.origin.port)")
      // Plain http for the site goes through the proxy as well.
      if site.origin.isSecure, site.origin.port == 443 { hosts.append("\(site.origin.host):80") }
    }
    // Hosts have no character that would end a string of the script.
    let list = Set(hosts).sorted().map { "  \"\($0)\": true" }.joined(separator: ",\n")
    return """
      var sites = {
      \(list)
      };

      function FindProxyForURL(url, host) {
        var parts = /^(\\w+):\\/\\/(?:[^\\/?#]*@)?(?:\\[[^\\]]*\\]|[^:\\/?#]*)(?::(\\d+))?/.exec(url);
        var port = parts && (parts[2] || (/^(https|wss)$/i.test(parts[1]) ? "443" : "80"));
        return sites[host.toLowerCase() + ":" + port] ? "PROXY \(authority)" : "DIRECT";
      }

      """
  }
}
