/// An error in the options of a server, or in what they name. ``SiteError`` is for those of its site.
public enum FootbridgeError: Error, Sendable, Hashable, CustomStringConvertible {
  /// `--root` is not a folder, or cannot be read.
  case rootMissing(String)
  /// Other machines can reach the server, and no token of the control API was set.
  case controlTokenMissing(host: String)
  /// The file of an option is inside the root folder.
  case fileServed(ServerOption, path: String, root: String)
  /// The name of a bridge cannot be the prefix of its actions.
  case bridgeNameInvalid(String)
  /// The pages of these bridges create their own messages, so a message does not show its bridge.
  case bridgesConflict([String])
  /// The state directory is inside the folder that the server serves.
  case stateServed(String, root: String)
  /// The authority ends with its server (`--ephemeral`), so nobody should trust it.
  case authorityNotKept
  /// The server has stopped, and was then started again or asked for a page.
  case stopped

  /// Sentences for people: what happened, where, and what to do.
  public var description: String {
    switch self {
    case .rootMissing(let path):
      "\(path) is not a folder, or cannot be read. Set --root to the folder with your site's index.html."
    case .controlTokenMissing(let host):
      "--host \(host) lets other machines in. Anyone with the token of the control API controls every session. Set a secret token "
        + "with --control-token-file or FOOTBRIDGE_CONTROL_TOKEN, or listen on 127.0.0.1."
    case .fileServed(let option, let path, let root):
      "\(path) is inside \(root), so the server would serve it. Set \(option.flag) to a file outside of it."
    case .stateServed(let path, let root):
      "\(path) is inside \(root), so the server would serve its keys. Set --state to a folder outside of it."
    case .bridgeNameInvalid(let name):
      "\(name) is not a valid name for a bridge. Use letters and digits, and begin with a letter. footbridge is reserved, and so are the other keys of footbridge.yaml."
    case .bridgesConflict(let names):
      "The pages of \(names.joined(separator: " and of ")) create their own messages, so a message does not show which bridge it is for. Switch off all but one of these bridges."
    case .authorityNotKept:
      "With --ephemeral, the authority ends with its server. To get one that you can trust, use a state directory (--state). For tests, the server logs the hash that Chromium needs."
    case .stopped: "This server has stopped. A server runs once: create another FootbridgeServer."
    }
  }
}
