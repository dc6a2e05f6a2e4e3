import Essentials
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
  /// In a tab or in a frame, and perhaps in several: a service worker has made the request, and may answer navigations from its cache. The
  /// page's shim reports where it is.
  case worker
  /// Unknown: the request did not come from a browser.
  case unknown
}

extension ServedDocument {
  /// The document's URL in production: under `siteOrigin` if it is known, otherwise where it was served. Nil if the target is not a path.
  func siteURL(siteOrigin: String?) -> URL? {
    guard target.hasPrefix("/") else { return nil }
    let origin = siteOrigin ?? origin
    return URL(string: Self.withoutSlash(origin) + target)
  }

  /// Translates an address that the document's script reports. If it has the origin that served the document, and `siteOrigin` is known, it
  /// moves to `siteOrigin`. Other addresses stay.
  func siteAddress(_ address: String, siteOrigin: String?) -> String {
    guard let siteOrigin, address.hasPrefix(origin) else { return address }
    let rest = address.dropFirst(origin.count)
    guard rest.first.map({ "/?#".contains($0) }) ?? true else { return address }
    return Self.withoutSlash(siteOrigin) + rest
  }

  /// Translates an address in production for the browser. If it is under `siteOrigin`, it moves to the origin that served the document.
  /// Other addresses stay.
  func servedAddress(_ address: String, siteOrigin: String?) -> String {
    guard let site = siteOrigin.map(Self.withoutSlash), address.lowercased().hasPrefix(site.lowercased()) else {
      return address
    }
    let rest = address.dropFirst(site.count)
    guard rest.first.map({ "/?#".contains($0) }) ?? true else { return address }
    return origin + rest
  }

  private static func withoutSlash(_ origin: String) -> String {
    origin.hasSuffix("/") ? String(origin.dropLast()) : origin
  }
}
