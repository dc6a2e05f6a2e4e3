import Foundation

extension URL {
  /// The address in a form in which the same addresses are equal: scheme and host in lower case, no default port, a path of at least `/`
  /// (RFC 3986, sections 6.2.2.1 and 6.2.3). What the reference calls normalised it does not say.
  var normalized: String {
    guard var components = URLComponents(url: absoluteURL, resolvingAgainstBaseURL: true) else { return absoluteString }
    components.scheme = components.scheme?.lowercased()
    components.host = components.host?.lowercased()
    switch (components.scheme, components.port) {
    case ("https", 443), ("http", 80): components.port = nil
    default: break
    }
    if components.path.isEmpty { components.path = "/" }
    return components.string ?? absoluteString
  }
}
