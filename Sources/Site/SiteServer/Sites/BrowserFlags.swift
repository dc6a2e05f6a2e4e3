import HTTP1

/// The configuration of browsers for the forward proxy: Chromium's flags, and a script for other browsers.
package struct BrowserFlags: Sendable {
  private let sites: [ListedSite]
  private let onlySites: Bool

  /// - Parameter onlySites: Whether all sites go through the proxy, so that it refuses those which are not listed.
  package init(_ sites: [ListedSite], onlySites: Bool = false) {
    self.sites = sites
    self.onlySites = onlySites
  }

  /// Chromium's flags: it then reaches the sites through the proxy at `address`, and accepts certificates with these hashes.
  ///
  /// - Parameter runsScripts: Whether the browser runs scripts that choose a proxy, as every Chromium with windows does. Then other sites do not
  ///   go through the proxy. If all pages come from an address of this machine, Chromium does not ask before a page of the internet reaches
  ///   others of this machine (Local Network Access).
  package func chromium(proxy address: String, publicKeyHashes: [String], runsScripts: Bool = false) -> [String] {
    let hashes = "--ignore-certificate-errors-spki-list=" + publicKeyHashes.joined(separator: ",")
    // Scripts are not asked about the browser's own machine, and without this flag, no proxy is used for it.
    if sites.contains(where: { Authority($0.origin.host)?.isTrustworthy ?? false }) {
      return ["--proxy-server=\(address)", "--proxy-bypass-list=<-loopback>", hashes]
    }
    return [runsScripts ? "--proxy-pac-url=\(address)/__footbridge/proxy.pac" : "--proxy-server=\(address)", hashes]
  }

  /// The script (PAC) for browsers and systems that configure their proxy with one. Only the sites go through the proxy at `authority`, or all
  /// if it refuses the others.
  func autoConfiguration(proxy authority: String) -> String {
    if onlySites { return "function FindProxyForURL() { return \"PROXY \(authority)\"; }\n" }
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
