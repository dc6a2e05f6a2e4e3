import HTTP1

/// A document as the server saw it when it served it: what trust is decided on, not what script claims.
struct ServedDocument: Sendable, Hashable {
  /// The origin that it was served from, such as `http://localhost:8080`.
  let origin: String
  /// The path and query that the document was requested with.
  let target: String
  /// Where the browser has the document from, for people: without the query, which may hold secrets.
  var url: String { origin + (target.hasPrefix("/") ? target.prefix { $0 != "?" } : "/") }
  /// Where the browser shows it.
  var frame: DocumentFrame
  /// Whether it is known to be the document of a tab.
  var isMainFrame: Bool { frame == .main }
  /// The id of the session that it was served to.
  let sessionID: String

  /// The path that the document was requested with.
  var path: String? { RequestTarget(target, method: .get)?.path }
}
