import WebServer

/// The developer's site: every path that is not Footbridge's own.
protocol Site: Sendable {
  /// Looks up the path of a request, still escaped. `isNavigation` says whether what is there becomes the document of a tab or frame.
  nonisolated(nonsending) func lookUp(_ path: String, isNavigation: Bool) async -> SiteLookup
}

/// What is at a path of a site.
enum SiteLookup {
  /// A file.
  case file(any FileContent)
  /// It is elsewhere.
  case redirect(String)
  /// Nothing. The text says what was looked for.
  case notFound(String)

  /// Whether there is nothing.
  var isNotFound: Bool {
    if case .notFound = self { true } else { false }
  }
}
