import HTTP1
import HTTPTypes
import WebServer

/// What a browser will do with an answer, according to its fetch metadata. Scripts cannot set these.
struct RequestedDocument {
  /// The fields of a request that say what the answer is for, for `Vary`: HTML that a script fetches is another representation than the
  /// document.
  static let vary = "Sec-Fetch-Dest, Sec-Fetch-Mode, Upgrade-Insecure-Requests"

  /// How a browser caches a document with the shim: to go back to it, as it does without us, and for nothing else.
  static let caching = "private, no-cache"

  /// Whether a browser asks.
  let isByBrowser: Bool
  /// Where a browser shows the answer if that becomes a document.
  let frame: DocumentFrame
  /// Whether the answer becomes the document of a tab or a frame, whatever its type.
  let isNavigation: Bool
  /// Whether the shim belongs into an HTML answer, because it becomes a document. A fragment that a script fetches does not.
  let isInjected: Bool
  /// Whether the answer passes as it is.
  let isLeftAlone: Bool
  /// Whether a service worker asks by itself. It may keep the answer and show it as a document later, so the shim belongs into a whole document.
  let isByWorker: Bool

  /// Whether the answer is another one for other requests, which its `Vary` then says. A worker finds by it what it has kept: its own request
  /// and the navigation that it answers would not match.
  var varies: Bool { !isLeftAlone && frame != .worker }

  /// Looks at a request on a connection of this kind. `isLeftAlone` says that its path is none for the shim.
  init(_ head: RequestHead, isSecure: Bool, isLeftAlone: Bool = false, isByWorker: Bool = false) {
    (self.isLeftAlone, self.isByWorker) = (isLeftAlone, isByWorker)
    if let destination = head.fields.value(of: .secFetchDest) {
      isByBrowser = true
      // A service worker that passes a navigation on keeps its mode, not its destination. Then only the shim knows of a frame.
      let isPassedOn = destination == "empty" && head.fields.value(of: .secFetchMode) == "navigate"
      frame = isPassedOn || isByWorker ? .worker : destination == "document" ? .main : .sub
      isNavigation = isPassedOn || ["document", "iframe", "frame"].contains(destination)
      isInjected = !isLeftAlone && (isNavigation || isByWorker || ["embed", "object"].contains(destination))
      return
    }
    let types = head.fields.tokens(of: .accept).map { $0.prefix { $0 != ";" && $0 != " " }.lowercased() }
    isNavigation = types.contains("text/html")
    isByBrowser = isNavigation && head.fields.value(of: .upgradeInsecureRequests) == "1"
    frame = isByBrowser ? .either : .unknown
    // Where browsers send metadata, a request without it is a program's, which may want the document as a page gets it. Elsewhere it may
    // be a script's.
    let isByProgram = isSecure || head.authority?.isTrustworthy ?? false
    let takesHTML =
      types.isEmpty || types.contains { ["text/html", "application/xhtml+xml", "text/*", "*/*"].contains($0) }
    isInjected = !isLeftAlone && (isByBrowser || isByProgram && takesHTML)
  }
}

extension HTTPField.Name {
  /// `Sec-Fetch-Dest` (Fetch Metadata, section 2.1): what the answer is for.
  static let secFetchDest = named("Sec-Fetch-Dest")
  /// `Sec-Fetch-Mode` (section 2.2): how the browser makes the request.
  static let secFetchMode = named("Sec-Fetch-Mode")
  /// `Upgrade-Insecure-Requests` (section 3.2.1 of the document of that name): the client opens a document and would rather have https.
  static let upgradeInsecureRequests = named("Upgrade-Insecure-Requests")
}
