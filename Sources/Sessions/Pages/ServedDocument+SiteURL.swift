import Essentials

extension ServedDocument {
  /// The document's URL in production: under `siteOrigin` if it is known, otherwise where it was served. Nil if the target is not a path.
  func siteURL(siteOrigin: String?) -> URL? {
    guard target.hasPrefix("/") else { return nil }
    let origin = siteOrigin ?? origin
    return URL(string: Self.withoutSlash(origin) + target)
  }

  /// Translates an address that the document's script reports. If it has the origin that served the document, and `siteOrigin` is known, it
  /// moves to `siteOrigin`. Other addresses stay.
  func siteAddress(_ address: String, siteOrigin: String?) -> String {
    guard let siteOrigin, address.hasPrefix(origin) else { return address }
    let rest = address.dropFirst(origin.count)
    guard rest.first.map({ "/?#".contains($0) }) ?? true else { return address }
    return Self.withoutSlash(siteOrigin) + rest
  }

  /// Translates an address in production for the browser. If it is under `siteOrigin`, it moves to the origin that served the document.
  /// Other addresses stay.
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
