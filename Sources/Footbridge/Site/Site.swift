import WebServer

/// The developer's site: whatever is not Footbridge's own.
protocol Site: Sendable {
  /// Looks up the path of a request, still escaped.
  func lookUp(_ path: String) async -> SiteLookup
}

/// What stands at a path of a site.
enum SiteLookup {
  /// A file.
  case file(any FileContent)
  /// It is elsewhere.
  case redirect(String)
  /// Nothing; the text says what was looked for.
  case notFound(String)
}
