import HTTPTypes

extension HTTPField.Name {
  /// `Sec-Fetch-Site` (Fetch Metadata, section 2.4): whose page is behind a request.
  static let secFetchSite = named("Sec-Fetch-Site")
  /// `Cross-Origin-Resource-Policy` (Fetch, section 3.7): whose pages may load a response without asking.
  static let crossOriginResourcePolicy = named("Cross-Origin-Resource-Policy")
}
