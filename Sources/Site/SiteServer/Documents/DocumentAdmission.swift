package import BridgeRuntime
import BridgeServer
import HTMLInjection
package import HTTP1
package import HTTPTypes
package import Sessions
package import WebServer

/// Admits documents: gives each one a ticket and a session. By the ticket, the bridge recognizes the document when its page connects.
@BridgeActor
package struct DocumentAdmission {
  let sessions: SessionRegistry
  let tickets: DocumentTickets
  let shims: ShimScripts
  /// What native sets before pages.
  let launches: Launches
  /// The scripts of the sites' service workers.
  package let workers = WorkerScripts()
  /// Whether the app's page is in a frame of a test runner's page.
  let isAppFramed: Bool

  package init(
    sessions: SessionRegistry, tickets: DocumentTickets, shims: ShimScripts, launches: Launches, isAppFramed: Bool
  ) {
    self.launches = launches
    self.sessions = sessions
    self.tickets = tickets
    self.shims = shims
    self.isAppFramed = isAppFramed
  }

  /// Admits the document with this media type that answers a request. `fields` give a new session to a browser without one.
  package func admit(
    _ requested: RequestedDocument, _ exchange: HTTPExchange, _ fields: inout HTTPFields, contentType: String
  ) -> AdmittedDocument {
    let head = exchange.head
    let cookie = exchange.sessionCookie
    let running = sessions.running(cookie)
    let isOnStage = requested.frame == .sub && running?.stageOrigins.isEmpty == false
    let value = cookie?.value ?? newSession(exchange, &fields)
    let document = ServedDocument(
      origin: (exchange.isSecure ? "https://" : "http://") + (head.host ?? "localhost"),
      target: head.target.rawValue,
      // Only the shim can tell the app from the app's own frames.
      frame: isOnStage || isAppFramed && requested.frame == .sub ? .either : requested.frame,
      sessionID: running?.id ?? (cookie?.key ?? SessionKey(cookieValue: value)).id
    )
    let isFirst = requested.isMainDocument && launches.isFirst(document.sessionID)
    if requested.isMainDocument { launches.serves(document.sessionID, &fields) }
    if requested.isByBrowser, !requested.isByWorker {
      if let running {
        running.arrivals.served(document)
      } else if requested.isMainDocument, sessions.bridgeTable.takesNavigations {
        // A redirect to native may follow before the page has connected.
        sessions.servedEarly(document)
      }
    }
    let shim = shim(of: running, isNew: cookie == nil)
    let containsShim =
      requested.isMainDocument && Self.mayContainShim(contentType) && prefersText(exchange, isFirst: isFirst)
    let elementText = containsShim ? shim?.elementText : nil
    // Otherwise, the request for the shim launches the session, so that it is there once the page has loaded.
    if elementText != nil, running == nil {
      Task { [sessions] in try? await sessions.session(cookieValue: value) }
    }
    return AdmittedDocument(
      ticket: tickets.issue(for: document),
      frameKey: tickets.frameKey,
      sessionID: document.sessionID,
      isFrame: [.sub, .either, .worker].contains(requested.frame),
      isFirst: isFirst,
      isOnStage: isOnStage,
      shimVersion: shim?.entityTag?.opaqueTag,
      elementText: elementText ?? []
    )
  }

  /// Whether the document could contain the shim if its media type named the encoding.
  func lacksEncoding(_ requested: RequestedDocument, _ exchange: HTTPExchange, contentType: String) -> Bool {
    requested.isMainDocument && prefersText(exchange, isFirst: launches.isFirst(exchange.sessionCookie?.key.id))
      && HTMLMediaType.isHTML(contentType) && !HTMLMediaType.isXHTML(contentType)
      && !HTMLMediaType.namesEncoding(contentType) && !contentType.utf8.contains(UInt8(ascii: "\""))
  }

  /// Whether a document of this media type may contain the shim. A browser looks for the encoding in the first 1,024 bytes (HTML Standard,
  /// section 13.2.3.2), and a script in XML needs escapes.
  private static func mayContainShim(_ contentType: String) -> Bool {
    HTMLMediaType.namesEncoding(contentType) && !HTMLMediaType.isXHTML(contentType)
  }

  /// Whether a document's page is there sooner if the document contains the shim. The browser does not have it yet for the first document of
  /// a session. Firefox takes 20 ms longer for a script from its cache, and other browsers have it compiled there.
  private func prefersText(_ exchange: HTTPExchange, isFirst: Bool) -> Bool {
    (isFirst || exchange.head.isFromFirefox) && isOnThisMachine(exchange)
  }

  /// Whether the browser runs on this machine, as in a test.
  private func isOnThisMachine(_ exchange: HTTPExchange) -> Bool {
    if exchange.head.authority?.isLoopback == true { return true }
    guard let address = exchange.peerAddress else { return false }
    return AddressRange.loopback.contains { $0.contains(address) }
  }

  /// What the requested script of a worker begins with; nil for any other request.
  package func workerStart(of exchange: HTTPExchange) -> WorkerStart? {
    guard WorkerStart.applies(to: exchange.head) else { return nil }
    return shims.workerStart(of: sessions.running(exchange.sessionCookie))
  }

  /// What native adds to a request for a document of the site; nil for nothing.
  func launchRequest(_ requested: RequestedDocument, _ exchange: HTTPExchange) -> LaunchRequest? {
    guard requested.isMainDocument else { return nil }
    let sessionID = exchange.sessionCookie?.key.id
    return LaunchRequest(
      launches[sessionID], isFirst: launches.isFirst(sessionID), path: exchange.head.target.path ?? "/")
  }

  /// The shim of a browser's session; nil if the session is not running, so that its settings are in the store.
  private func shim(of running: Session?, isNew: Bool) -> EmbeddedFile? {
    if let running { return shims[running] }
    return isNew ? shims.usual : nil
  }

  /// Whether a request for the shim comes from an admitted frame, whatever its origin.
  package func isFromFrame(_ head: RequestHead) -> Bool {
    QueryItems(head.target.query)["frame"] == tickets.frameKey
  }

  /// The id of the session of a request's browser. A browser without one gets a new session, which is launched when its first page
  /// connects.
  @discardableResult
  package func session(of exchange: HTTPExchange, _ fields: inout HTTPFields) -> String {
    if let cookie = exchange.sessionCookie { return cookie.key.id }
    return SessionKey(cookieValue: newSession(exchange, &fields)).id
  }

  /// Gives a browser a new session. Returns the value of its cookie.
  private func newSession(_ exchange: HTTPExchange, _ fields: inout HTTPFields) -> String {
    let value = sessions.newCookieValue()
    let cookie = SessionCookie(in: exchange.head.fields).setCookie(value, isSecure: exchange.isSecure)
    fields.append(HTTPField(name: .setCookie, value: cookie))
    return value
  }
}

/// What a document gets of the shim.
package struct AdmittedDocument: Sendable {
  /// Identifies the document's page at the bridge.
  let ticket: String
  /// Proves to the shim's route that one of our frames asks for the shim. Its origin does not prove it: a sandboxed frame has an opaque
  /// one, as a foreign frame may have. The shim passes the key to frames whose documents are not served.
  let frameKey: String
  /// The id of the document's session.
  let sessionID: String
  /// Whether the document is in a frame, or may be.
  let isFrame: Bool
  /// Whether it is the first document of its session.
  let isFirst: Bool
  /// Whether it is in a frame, in a session whose site the dashboard shows in a frame. Then no policy of the document forbids frames.
  package let isOnStage: Bool
  /// The version of the shim that the document loads; nil if it is not known yet.
  let shimVersion: String?
  /// The text of the script element: the shim. Empty if the element has the shim's address.
  let elementText: [UInt8]

  /// The attributes of the script element in the document. The document's policies allow `nonce`.
  func scriptAttributes(nonce: String) -> [UInt8] {
    var attributes: [UInt8] = []
    // Reserving avoids copies while the text grows.
    attributes.reserveCapacity(256 + ticket.utf8.count)
    if elementText.isEmpty { append(addressTo: &attributes) }
    attributes += "data-footbridge-ticket=\"".utf8
    attributes += ticket.utf8
    attributes += "\" data-footbridge-frame=\"".utf8
    attributes += frameKey.utf8
    attributes += "\"".utf8
    if isFirst { attributes += " data-footbridge-first=\"\"".utf8 }
    attributes += " nonce=\"".utf8
    attributes += nonce.utf8
    attributes.append(UInt8(ascii: "\""))
    return attributes
  }

  private func append(addressTo attributes: inout [UInt8]) {
    attributes += "src=\"".utf8
    attributes += ShimScript.path.utf8
    if let shimVersion {
      attributes += "?v=".utf8
      attributes += shimVersion.utf8
    }
    if isFrame {
      attributes += (shimVersion == nil ? "?frame=" : "&amp;frame=").utf8
      attributes += frameKey.utf8
    }
    attributes += "\" ".utf8
  }
}
