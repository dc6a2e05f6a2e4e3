import Essentials
import HTTP1

/// A document as the server served it. Whether a page is trusted depends on this, not on the claims of a script.
package struct ServedDocument: Sendable, Hashable {
  /// The origin that it was served from, such as `http://localhost:8080`.
  package let origin: String
  /// The path and query that the document was requested with.
  package let target: String
  /// The address of the document, for people. It leaves out the query, which may contain secrets.
  package var url: String { origin + (target.hasPrefix("/") ? target.prefix { $0 != "?" } : "/") }
  /// The kind of frame in which the browser shows the document.
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

/// The kind of frame in which a browser shows a document.
package enum DocumentFrame: String, Sendable {
  /// In a tab.
  case main
  /// In a frame of another document.
  case sub = "frame"
  /// In a tab or in a frame. Browsers do not say which if the address is neither https nor on this machine. The shim reports it later.
  case either
  /// In a tab or in a frame, perhaps in several: a service worker has requested the document, and may answer navigations with it. The shim
  /// reports the frame.
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

  /// Translates an address from the document's script. Replaces the origin that served the document by `siteOrigin`, if that is known. Does
  /// not change other addresses.
  func siteAddress(_ address: String, siteOrigin: String?) -> String {
    guard let siteOrigin, address.hasPrefix(origin) else { return address }
    let rest = address.dropFirst(origin.count)
    guard rest.first.map({ "/?#".contains($0) }) ?? true else { return address }
    return Self.withoutSlash(siteOrigin) + rest
  }

  /// Translates an address in production for the browser. Replaces `siteOrigin` by the origin that served the document. Does not change other
  /// addresses.
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
