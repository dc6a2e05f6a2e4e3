package import BridgeCore

/// What has opened the app.
package enum AppOpening: Sendable, Hashable, Codable {
  /// A link, universal or of the app's own scheme.
  case link(String)
  /// A tap on a push notification with this data.
  case push(JSONValue)
  /// A shortcut of the app's icon, by its type.
  case shortcut(String)

  /// The opening as the control API shows it.
  package var json: JSONValue {
    switch self {
    case .link(let link): ["link": .string(link)]
    case .push(let data): ["push": data]
    case .shortcut(let type): ["shortcut": .string(type)]
    }
  }

  /// The link, if it has a scheme of the app's own; nil for universal links, and for everything else.
  package var schemeLink: String? {
    guard case .link(let link) = self, link.firstMatch(of: /^https?:/.ignoresCase()) == nil else { return nil }
    return link
  }

  /// The path of the page that the app loads: that of a link over http, with its query and fragment, or else the start of the site.
  package var path: String {
    guard case .link(let link) = self, let scheme = link.firstMatch(of: /^https?:\/\/[^\/?#]*/.ignoresCase()) else {
      return "/"
    }
    let rest = link[scheme.range.upperBound...].drop { $0 == "/" || $0 == "\\" }
    return "/" + rest
  }
}
