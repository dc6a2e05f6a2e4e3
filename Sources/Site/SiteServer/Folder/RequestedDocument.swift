package import HTTP1
package import HTTPTypes
import Sessions
import WebServer

/// The browser's use of an answer, according to the request's fetch metadata. Scripts cannot set these fields.
package struct RequestedDocument {
  /// The value of `Vary`: the fields of a request that tell how the answer is used. HTML that a script fetches differs from the document.
  package static let vary = "Sec-Fetch-Dest, Sec-Fetch-Mode, Upgrade-Insecure-Requests"

  /// The caching of a document with the shim: the browser may keep it only to go back to it.
  package static let caching = "private, no-cache"

  /// Whether a browser sends the request.
  package let isByBrowser: Bool
  /// The place where a browser shows the answer, if it becomes a document.
  let frame: DocumentFrame
  /// Whether the answer becomes the document of a tab or a frame, whatever its type.
  package let isNavigation: Bool
  /// Whether an HTML answer gets the shim, because it becomes a document. A fragment that a script fetches gets no shim.
  package let isInjected: Bool
  /// Whether the answer becomes such a document, or one in an `<object>` or `<embed>`.
  let isShown: Bool
  /// Whether the answer stays unchanged.
  package let isExcluded: Bool
  /// Whether a service worker sends the request by itself. It may keep the answer and show it as a document later, so a whole document gets
  /// the shim.
  package let isByWorker: Bool

  /// Whether the answer depends on fields of the request, and so needs `Vary`. Answers to a worker must not have it: the worker's request
  /// and the navigation that it answers would not match.
  package var varies: Bool { !isExcluded && frame != .worker }

  /// Whether the answer becomes the document of a tab, as far as the request tells.
  var isMainDocument: Bool { isNavigation && isByBrowser && !isByWorker && [.main, .either].contains(frame) }

  /// Reads a request on a connection of this kind. `isExcluded` tells that its path gets no shim.
  package init(_ head: RequestHead, isSecure: Bool, isExcluded: Bool = false, isByWorker: Bool = false) {
    (self.isExcluded, self.isByWorker) = (isExcluded, isByWorker)
    if let destination = head.fields.value(of: .secFetchDest) {
      isByBrowser = true
      let isForwarded = destination == "empty" && Self.isNavigationOfWorker(head)
      frame = isForwarded || isByWorker ? .worker : destination == "document" ? .main : .sub
      isNavigation = isForwarded || ["document", "iframe", "frame"].contains(destination)
      isShown = isNavigation || ["embed", "object"].contains(destination)
      isInjected = !isExcluded && (isShown || isByWorker)
      return
    }
    let types = head.fields.tokens(of: .accept).map { $0.prefix { $0 != ";" && $0 != " " }.lowercased() }
    isNavigation = types.contains("text/html")
    isShown = isNavigation
    isByBrowser = isNavigation && head.fields.value(of: .upgradeInsecureRequests) == "1"
    frame = isByBrowser ? .either : .unknown
    // On origins where browsers send metadata, a request without it comes from another program, which may want the document with the shim.
    // On other origins, it may come from a script.
    let isByProgram = isSecure || head.authority?.isTrustworthy ?? false
    let takesHTML =
      types.isEmpty || types.contains { ["text/html", "application/xhtml+xml", "text/*", "*/*"].contains($0) }
    isInjected = !isExcluded && (isByBrowser || isByProgram && takesHTML)
  }

  /// Whether a service worker passes on a navigation. It keeps the mode, but not the destination, so only the shim can tell a frame. In
  /// Firefox, it does not keep the mode either, but the wish of a navigation for https. A script can state that wish, too; but one of the
  /// same origin could as well have a worker that passes on its request.
  private static func isNavigationOfWorker(_ head: RequestHead) -> Bool {
    switch head.fields.value(of: .secFetchMode) {
    case "navigate": true
    case "same-origin":
      head.fields.value(of: .secFetchSite) == "same-origin" && head.fields.value(of: .upgradeInsecureRequests) == "1"
    default: false
    }
  }
}

extension HTTPField.Name {
  /// `Sec-Fetch-Dest` (Fetch Metadata, section 2.1): the use of the answer.
  package static let secFetchDest = named("Sec-Fetch-Dest")
  /// `Sec-Fetch-Mode` (section 2.2): how the browser makes the request.
  package static let secFetchMode = named("Sec-Fetch-Mode")
  /// `Upgrade-Insecure-Requests` (section 3.2.1 of the document of that name): the client opens a document and would rather have https.
  static let upgradeInsecureRequests = named("Upgrade-Insecure-Requests")
}
