package import WebServer

/// What answers the requests of pages for resources of the app.
package enum DeclaredResource: Sendable {
  /// The files of a folder.
  case folder(StaticRoot)
  /// The bridge's handler.
  case handler
}
