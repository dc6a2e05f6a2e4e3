import WebServer

/// The developer's site: all paths except Footbridge's own.
protocol Site: Sendable {
  /// Looks up the path of a request, still escaped. `isNavigation` says whether the result becomes the document of a tab or frame.
  nonisolated(nonsending) func lookUp(_ path: String, isNavigation: Bool) async -> SiteLookup
}

/// The result of a lookup.
enum SiteLookup {
  /// A file.
  case file(any FileContent)
  /// The address where it is.
  case redirect(String)
  /// Nothing is there. The text says what was looked for.
  case notFound(String)

  /// Whether there is nothing.
  var isNotFound: Bool {
    if case .notFound = self { true } else { false }
  }
}
