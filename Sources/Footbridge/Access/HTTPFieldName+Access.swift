import HTTPTypes

extension HTTPField.Name {
  /// `Sec-Fetch-Site` (Fetch Metadata, section 2.4): the relation between the request's page and the server.
  static let secFetchSite = named("Sec-Fetch-Site")
  /// `Cross-Origin-Resource-Policy` (Fetch, section 3.7): the pages that may load a response without CORS.
  static let crossOriginResourcePolicy = named("Cross-Origin-Resource-Policy")
}
