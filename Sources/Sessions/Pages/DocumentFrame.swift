/// Where a browser shows a document, as far as that is known.
package enum DocumentFrame: String, Sendable {
  /// In a tab.
  case main
  /// In a frame of another document.
  case sub = "frame"
  /// In a tab or in a frame: to an address without https that is not this machine's, browsers do not say. The page's shim does when it
  /// comes.
  case either
  /// Nowhere that is known: the request was not a browser's.
  case unknown
}
