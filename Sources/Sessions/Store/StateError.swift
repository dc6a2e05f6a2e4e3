/// Why the state directory cannot be used.
public enum StateError: Error, Sendable, Hashable, CustomStringConvertible {
  /// Another server uses the directory at this path.
  case inUse(String)
  /// The directory, or a file in it, cannot be used.
  case unusable(_ path: String, reason: String)

  /// Sentences for people: what happened, where, and what to do.
  public var description: String {
    switch self {
    case .inUse(let path):
      "\(path) is in use by another server. Stop that server, choose another folder with --state, or keep nothing with --ephemeral."
    case .unusable(let path, let reason):
      "\(path) cannot be used: \(reason) Choose another folder with --state, or keep nothing with --ephemeral."
    }
  }
}
