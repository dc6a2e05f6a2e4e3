/// Where a browser shows a document, if this is known.
package enum DocumentFrame: String, Sendable {
  /// In a tab.
  case main
  /// In a frame of another document.
  case sub = "frame"
  /// In a tab or in a frame. Browsers do not say which if the address is neither https nor on this machine. The page's shim reports it
  /// later.
  case either
  /// Unknown: the request did not come from a browser.
  case unknown
}
