import HTTP1
import HTTPTypes

/// `Clear-Site-Data` of an upstream that clears cookies (https://www.w3.org/TR/clear-site-data/).
///
/// A browser would clear the cookie of our session too, so that a sign-out would lose the account and its purchases. So the browser gets
/// only the other types, and the site's own cookies expire one by one (``BrowserCookies``).
struct ClearSiteData {
  /// The field for the browser; nil when there is nothing else to clear.
  let rest: HTTPField?

  /// The types that `"*"` means, without cookies.
  private static let others = [
    "\"cache\"", "\"clientHints\"", "\"prefetchCache\"", "\"prerenderCache\"", "\"storage\"",
  ]

  /// Reads the fields of a response; nil when they do not clear cookies.
  init?(_ fields: HTTPFields) {
    guard fields.contains(.clearSiteData) else { return nil }
    let types = fields.tokens(of: .clearSiteData)
    let clearsEverything = types.contains("\"*\"")
    guard clearsEverything || types.contains("\"cookies\"") else { return nil }
    var kept = types.filter { $0 != "\"*\"" && $0 != "\"cookies\"" }
    if clearsEverything { kept += Self.others.filter { !kept.contains($0) } }
    rest = kept.isEmpty ? nil : HTTPField(name: .clearSiteData, value: kept.joined(separator: ", "))
  }
}
