package import BridgeRuntime
import BridgeServer
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

  /// Admits the document that answers a request. `fields` give a new session to a browser without one.
  package func admit(
    _ requested: RequestedDocument, _ exchange: HTTPExchange, _ fields: inout HTTPFields
  ) -> AdmittedDocument {
    let head = exchange.head
    // Read once, since each time hashes the cookie's value.
    let cookieValue = SessionCookie.value(in: head.fields, isSecure: exchange.isSecure)
    let running = cookieValue.flatMap { sessions.running(cookieValue: $0) }
    let isOnStage = requested.frame == .sub && running?.stageOrigins.isEmpty == false
    let document = ServedDocument(
      origin: (exchange.isSecure ? "https://" : "http://") + (head.host ?? "localhost"),
      target: head.target.rawValue,
      // Only the shim can tell the app from the app's own frames.
      frame: isOnStage || isAppFramed && requested.frame == .sub ? .either : requested.frame,
      sessionID: running?.id ?? session(of: exchange, &fields)
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
    return AdmittedDocument(
      ticket: tickets.issue(for: document),
      frameKey: tickets.frameKey,
      sessionID: document.sessionID,
      isFrame: [.sub, .either, .worker].contains(requested.frame),
      isFirst: isFirst,
      isOnStage: isOnStage,
      shimVersion: shim(of: running, cookieValue)?.entityTag?.opaqueTag
    )
  }

  /// What the requested script of a worker begins with; nil for any other request.
  package func workerStart(of exchange: HTTPExchange) -> WorkerStart? {
    guard WorkerStart.applies(to: exchange.head) else { return nil }
    let value = SessionCookie.value(in: exchange.head.fields, isSecure: exchange.isSecure)
    return shims.workerStart(of: value.flatMap { sessions.running(cookieValue: $0) })
  }

  /// What native adds to a request for a document of the site; nil for nothing.
  func launchRequest(_ requested: RequestedDocument, _ exchange: HTTPExchange) -> LaunchRequest? {
    guard requested.isMainDocument else { return nil }
    let value = SessionCookie.value(in: exchange.head.fields, isSecure: exchange.isSecure)
    let sessionID = value.map { SessionKey(cookieValue: $0).id }
    return LaunchRequest(
      launches[sessionID], isFirst: launches.isFirst(sessionID), path: exchange.head.target.path ?? "/")
  }

  /// The shim of a browser's session; nil if the session is not running, so that its settings are in the store.
  private func shim(of running: Session?, _ cookieValue: String?) -> EmbeddedFile? {
    if let running { return shims[running] }
    return cookieValue == nil ? shims.usual : nil
  }

  /// Whether a request for the shim comes from an admitted frame, whatever its origin.
  package func isFromFrame(_ head: RequestHead) -> Bool {
    QueryItems(head.target.query)["frame"] == tickets.frameKey
  }

  /// The id of the session of a request's browser. A browser without one gets a new session, which is launched when its first page
  /// connects.
  @discardableResult
  package func session(of exchange: HTTPExchange, _ fields: inout HTTPFields) -> String {
    if let value = SessionCookie.value(in: exchange.head.fields, isSecure: exchange.isSecure) {
      return SessionKey(cookieValue: value).id
    }
    let value = sessions.newCookieValue()
    let cookie = SessionCookie(in: exchange.head.fields).setCookie(value, isSecure: exchange.isSecure)
    fields.append(HTTPField(name: .setCookie, value: cookie))
    return SessionKey(cookieValue: value).id
  }
}

/// The values in the script tag of a document.
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
}
