/// An error in the options of a server, or in what they name.
public enum FootbridgeError: Error, Sendable, Hashable, CustomStringConvertible {
  /// `--root` is not a folder, or cannot be read.
  case rootMissing(String)
  /// `--site-origin` is not an origin.
  case siteOriginInvalid(String)
  /// A value of `--allow-host` is not a host.
  case allowedHostInvalid(String)
  /// A value of `--allow-origin` is not an origin.
  case allowedOriginInvalid(String)
  /// A value of `--trusted-proxy` is not an address.
  case trustedProxyInvalid(String)
  /// Other machines can reach the server, and no token of the control API was set.
  case controlTokenMissing(host: String)
  /// The address of an upstream server is invalid. `source` is the option that has it.
  case upstreamInvalid(_ source: String, reason: String)
  /// The value of `--proxy-host` is not a host.
  case proxyHostInvalid(String)
  /// A value of `--exclude` does not begin with a slash.
  case excludedPathInvalid(String)
  /// A value of this option is not a header field, or names a field that must not be changed.
  case fieldInvalid(ServerOption, reason: String)
  /// The file of an option cannot be written.
  case fileNotWritable(ServerOption, path: String, reason: String)
  /// The file of an option is inside the root folder.
  case fileServed(ServerOption, path: String, root: String)
  /// The name of a bridge cannot be the prefix of its actions.
  case bridgeNameInvalid(String)
  /// The pages of these bridges create their own messages, so a message does not show its bridge.
  case bridgesConflict([String])
  /// The state directory is inside the folder that the server serves.
  case stateServed(String, root: String)
  /// A file of `--tls-cert` or `--tls-key` cannot be read.
  case certificateUnreadable(String, reason: String)
  /// The content of a file of `--tls-cert` or `--tls-key` cannot be used.
  case certificateInvalid(String, reason: String)
  /// Two options need each other, and one of them is missing.
  case certificateIncomplete(missing: String, given: String)
  /// The authority ends with its server (`--ephemeral`), so nobody should trust it.
  case authorityNotKept
  /// The executable was built without files of `web/`.
  case incompleteBuild
  /// The server has stopped, and was then started again or asked for a page.
  case stopped

  /// Sentences for people: what happened, where, and what to do.
  public var description: String {
    switch self {
    case .rootMissing(let path):
      "\(path) is not a folder, or cannot be read. Set --root to the folder with your site's index.html."
    case .siteOriginInvalid(let text):
      "\(text) is not an origin. Set --site-origin to scheme, host and optional port, such as https://today.example."
    case .allowedHostInvalid(let text):
      "\(text) is not a host. Set --allow-host to a name with an optional port, such as dev.example or dev.example:443."
    case .allowedOriginInvalid(let text):
      "\(text) is not an origin. Set --allow-origin to scheme, host and optional port, such as http://localhost:5173."
    case .trustedProxyInvalid(let text):
      "\(text) is not an IP address. Set --trusted-proxy to the address of the proxy or its network, such as 10.1.2.3 or 10.0.0.0/8."
    case .controlTokenMissing(let host):
      "--host \(host) lets other machines in. Anyone with the token of the control API controls every session. Set a secret token "
        + "with --control-token-file or FOOTBRIDGE_CONTROL_TOKEN, or listen on 127.0.0.1."
    case .upstreamInvalid(let source, let reason):
      "\(source): \(reason)."
    case .proxyHostInvalid(let text):
      "\(text) is not a host. Set --proxy-host to keep, upstream, or a name with an optional port, such as dev.example:3000."
    case .excludedPathInvalid(let text):
      "\(text) is not a path. Use one that begins with a slash, such as /admin or /*.pdf."
    case .fieldInvalid(_, let reason): "\(reason)."
    case .fileNotWritable(let option, let path, let reason):
      "\(path) cannot be written: \(reason). Set \(option.flag) to a file in a folder that you can write to."
    case .fileServed(let option, let path, let root):
      "\(path) is inside \(root), so the server would serve it. Set \(option.flag) to a file outside of it."
    case .stateServed(let path, let root):
      "\(path) is inside \(root), so the server would serve its keys. Set --state to a folder outside of it."
    case .bridgeNameInvalid(let name):
      "\(name) is not a valid name for a bridge. Use letters and digits, and begin with a letter. footbridge is reserved, and so are the other keys of footbridge.yaml."
    case .bridgesConflict(let names):
      "The pages of \(names.joined(separator: " and of ")) create their own messages, so a message does not show which bridge it is for. Switch off all but one of these bridges."
    case .certificateUnreadable(let path, let reason): "\(path) cannot be read: \(reason). Check the path."
    case .certificateInvalid(let path, let reason): "\(path): \(reason)"
    case .certificateIncomplete(let missing, let given): "\(given) needs \(missing). Give both."
    case .authorityNotKept:
      "With --ephemeral, the authority ends with its server. To get one that you can trust, use a state directory (--state). For tests, the server logs the hash that Chromium needs."
    case .incompleteBuild: "This executable was built without its web files. Build it again from a complete checkout."
    case .stopped: "This server has stopped. A server runs once: create another FootbridgeServer."
    }
  }
}
