import HTTP1

extension HTTPOrigin {
  /// Reads the origin that the page has in production (`--site-origin`); a single `/` may follow.
  init(siteOrigin text: String) throws(FootbridgeError) {
    guard let origin = HTTPOrigin(text.hasSuffix("/") ? String(text.dropLast()) : text) else {
      throw .siteOriginInvalid(text)
    }
    self = origin
  }
}
