/// An error in the options of a site, or in what they name. Options are named as the person has set them: `--har`.
public enum SiteError: Error, Sendable, Hashable, CustomStringConvertible {
  /// A value of `--allow-host` is not a host.
  case allowedHostInvalid(String)
  /// A value of `--trusted-proxy` is not an address.
  case trustedProxyInvalid(String)
  /// The address of an upstream server, or the path that leads to it, is invalid.
  case upstreamInvalid(reason: String)
  /// The value of `--proxy-host` is not a host.
  case proxyHostInvalid(String)
  /// A value of `--exclude` does not begin with a slash.
  case excludedPathInvalid(String)
  /// A value of this option is not a header field, or names a field that must not be changed.
  case fieldInvalid(_ option: String, reason: String)
  /// The file of an option cannot be written.
  case fileNotWritable(_ option: String, path: String, reason: String)
  /// A file of `--tls-cert` or `--tls-key` cannot be read.
  case certificateUnreadable(String, reason: String)
  /// The content of a file of `--tls-cert` or `--tls-key` cannot be used.
  case certificateInvalid(String, reason: String)
  /// Two options need each other, and one of them is missing.
  case certificateIncomplete(missing: String, given: String)
  /// The value of `--like` is not a phone.
  case phoneUnknown(String)
  /// The executable was built without files of `web/`.
  case incompleteBuild

  /// Sentences for people: what happened, where, and what to do.
  public var description: String {
    switch self {
    case .allowedHostInvalid(let text):
      "\(text) is not a host. Use a name with an optional port, such as dev.example or dev.example:443."
    case .trustedProxyInvalid(let text):
      "\(text) is not an IP address. Use the address of the proxy or its network, such as 10.1.2.3 or 10.0.0.0/8."
    case .upstreamInvalid(let reason): "\(reason)."
    case .proxyHostInvalid(let text):
      "\(text) is not a host. Use keep, upstream, or a name with an optional port, such as dev.example:3000."
    case .excludedPathInvalid(let text):
      "\(text) is not a path. Use one that begins with a slash, such as /admin or /*.pdf."
    case .fieldInvalid(_, let reason): "\(reason)."
    case .fileNotWritable(let option, let path, let reason):
      "\(path) cannot be written: \(reason). Set \(option) to a file in a folder that you can write to."
    case .certificateUnreadable(let path, let reason): "\(path) cannot be read: \(reason). Check the path."
    case .certificateInvalid(let path, let reason): "\(path): \(reason)"
    case .certificateIncomplete(let missing, let given): "\(given) needs \(missing). Give both."
    case .phoneUnknown(let text):
      "\(text) is not a phone. It must be ios-17, ios-18, ios-26, a later version of one of these, such as ios-18.4, or android."
    case .incompleteBuild: "This executable was built without its web files. Build it again from a complete checkout."
    }
  }
}
