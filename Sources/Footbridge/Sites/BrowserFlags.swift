import HTTP1

/// How browsers use the forward proxy: the flags of Chromium, and the script that configures others.
struct BrowserFlags: Sendable {
  private let sites: [ListedSite]

  init(_ sites: [ListedSite]) {
    self.sites = sites
  }

  /// The flags with which Chromium sees the sites through the proxy at `address`, and takes certificates with these hashes.
  func chromium(proxy address: String, publicKeyHashes: [String]) -> [String] {
    var flags = ["--proxy-server=\(address)"]
    // Chromium asks no proxy about its own machine, unless it is told to.
    if sites.contains(where: { Authority($0.origin.host)?.isTrustworthy ?? false }) {
      flags.append("--proxy-bypass-list=<-loopback>")
    }
    return flags + ["--ignore-certificate-errors-spki-list=" + publicKeyHashes.joined(separator: ",")]
  }

  /// The script for browsers and systems that take a proxy by its address (PAC): only the sites go through the proxy at `authority`.
  func autoConfiguration(proxy authority: String) -> String {
    var hosts: [String] = []
    for site in sites {
      hosts.append("\(site.origin.host):\(site.origin.port)")
      // Without https, the site is not reached either.
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
