import HTTP1

/// A document as the server served it. Trust depends on this, not on what a script claims.
package struct ServedDocument: Sendable, Hashable {
  /// The origin that it was served from, such as `http://localhost:8080`.
  package let origin: String
  /// The path and query that the document was requested with.
  package let target: String
  /// The address of the document, for people. It has no query, which may contain secrets.
  package var url: String { origin + (target.hasPrefix("/") ? target.prefix { $0 != "?" } : "/") }
  /// Where the browser shows it.
  package var frame: DocumentFrame
  /// Whether it is known to be the document of a tab.
  package var isMainFrame: Bool { frame == .main }
  /// The id of the session that it was served to.
  package let sessionID: String

  package init(origin: String, target: String, frame: DocumentFrame, sessionID: String) {
    self.origin = origin
    self.target = target
    self.frame = frame
    self.sessionID = sessionID
  }

  /// The path that the document was requested with.
  package var path: String? { RequestTarget(target, method: .get)?.path }
}

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
