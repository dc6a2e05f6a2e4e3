import HTMLInjection
import HTTP1

extension ContentSecurityPolicy {
  /// What the shim needs in a page that the browser knows by this scheme, host and port.
  init(nonce: String? = nil, isSecure: Bool, authority: Authority) {
    let path = "\(authority.rawValue)/__footbridge/"
    self.init(
      nonce: nonce, scripts: (isSecure ? "https://" : "http://") + path,
      socket: (isSecure ? "wss://" : "ws://") + path + "bridge")
  }
}
