import Foundation

extension ServedDocument {
  /// The document's URL at the site: under `siteOrigin` if the developer has said what it is, else where it was served. Nil when the target
  /// is no path.
  func siteURL(siteOrigin: String?) -> URL? {
    guard target.hasPrefix("/") else { return nil }
    let origin = siteOrigin ?? origin
    return URL(string: (origin.hasSuffix("/") ? String(origin.dropLast()) : origin) + target)
  }
}
