import Essentials

extension ServedDocument {
  /// The document's URL at the site: under `siteOrigin` if the developer has said what it is, else where it was served. Nil when the target
  /// is no path.
  func siteURL(siteOrigin: String?) -> URL? {
    guard target.hasPrefix("/") else { return nil }
    let origin = siteOrigin ?? origin
    return URL(string: Self.withoutSlash(origin) + target)
  }

  /// An address that the document's script tells as it would be at the site: one of the origin that the document was served from is under
  /// `siteOrigin` there, if the developer has said what it is; any other is the same.
  func siteAddress(_ address: String, siteOrigin: String?) -> String {
    guard let siteOrigin, address.hasPrefix(origin) else { return address }
    let rest = address.dropFirst(origin.count)
    guard rest.first.map({ "/?#".contains($0) }) ?? true else { return address }
    return Self.withoutSlash(siteOrigin) + rest
  }

  /// An address at the site as the browser has it: one under `siteOrigin` is at the origin that the document was served from. Any other is
  /// the same.
  func servedAddress(_ address: String, siteOrigin: String?) -> String {
    guard let site = siteOrigin.map(Self.withoutSlash), address.lowercased().hasPrefix(site.lowercased()) else {
      return address
    }
    let rest = address.dropFirst(site.count)
    guard rest.first.map({ "/?#".contains($0) }) ?? true else { return address }
    return origin + rest
  }

  private static func withoutSlash(_ origin: String) -> String {
    origin.hasSuffix("/") ? String(origin.dropLast()) : origin
  }
}
