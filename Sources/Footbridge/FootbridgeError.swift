/// Why a server cannot be created from its options.
public enum FootbridgeError: Error, Sendable, Hashable, CustomStringConvertible {
  /// `--root` is no readable folder.
  case rootMissing(String)
  /// `--site-origin` is no origin.
  case siteOriginInvalid(String)
  /// A value of `--allow-host` is no host.
  case allowedHostInvalid(String)
  /// A value of `--allow-origin` is no origin.
  case allowedOriginInvalid(String)
  /// A value of `--trusted-proxy` is no address.
  case trustedProxyInvalid(String)
  /// Other machines can reach the server, and nobody has set the token of the control API.
  case controlTokenMissing(host: String)
  /// The address of an upstream is invalid. `source` is the option that it comes from.
  case upstreamInvalid(_ source: String, reason: String)
  /// A bridge has a name that its actions cannot begin with.
  case bridgeNameInvalid(String)
  /// The state directory is inside the folder that the server serves.
  case stateServed(String, root: String)
  /// A file of `--tls-cert` or `--tls-key` cannot be read.
  case certificateUnreadable(String, reason: String)
  /// The content of a file of `--tls-cert` or `--tls-key` cannot be used.
  case certificateInvalid(String, reason: String)
  /// One of two options is missing that need each other.
  case certificateIncomplete(missing: String, given: String)
  /// The certificate of `--tls-cert` has an unknown kind of public key.
  case publicKeyUnknown(String)
  /// The authority lives only as long as its server (`--ephemeral`), so that it makes no sense to trust it.
  case authorityNotKept
  /// The executable was built without files of `web/`.
  case incompleteBuild
  /// A server was started again after it had stopped.
  case stopped

  /// One sentence for people: what happened, and what to do.
  public var description: String {
    switch self {
    case .rootMissing(let path):
      "\(path) is no folder that can be read. Give --root the folder that your site's index.html is in."
    case .siteOriginInvalid(let text):
      "\(text) is no origin. Give --site-origin scheme, host and perhaps port, such as https://today.example."
    case .allowedHostInvalid(let text):
      "\(text) is no host. Give --allow-host a name, perhaps with a port, such as dev.example or dev.example:443."
    case .allowedOriginInvalid(let text):
      "\(text) is no origin. Give --allow-origin scheme, host and perhaps port, such as http://localhost:5173."
    case .trustedProxyInvalid(let text):
      "\(text) is no IP address. Give --trusted-proxy the address of the proxy or its network, such as 10.1.2.3 or 10.0.0.0/8."
    case .controlTokenMissing(let host):
      "--host \(host) lets other machines in, and whoever has the control API's token drives every session. Choose one with "
        + "--control-token-file or FOOTBRIDGE_CONTROL_TOKEN and keep it, or listen on 127.0.0.1."
    case .upstreamInvalid(let source, let reason):
      "\(source): \(reason)."
    case .stateServed(let path, let root):
      "\(path) lies in \(root), so that its keys would be served. Choose a folder outside of it with --state."
    case .bridgeNameInvalid(let name):
      "\(name) is no name for a bridge. Use letters and digits, begin with a letter, and leave footbridge to the server."
    case .certificateUnreadable(let path, let reason): "\(path) cannot be read: \(reason). Check the path."
    case .certificateInvalid(let path, let reason): "\(path): \(reason)"
    case .certificateIncomplete(let missing, let given): "\(given) needs \(missing). Give both."
    case .publicKeyUnknown(let path): "\(path) has a public key of a kind that Footbridge does not know."
    case .authorityNotKept:
      "With --ephemeral the authority lives only as long as its server, which logs what Chromium needs to know. Use a state directory to have one that can be trusted."
    case .incompleteBuild: "This executable was built without its web files. Build it again from a complete checkout."
    case .stopped: "This server has stopped, and a server runs once. Make another FootbridgeServer."
    }
  }
}
