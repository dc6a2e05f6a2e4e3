package import BridgeRuntime
import Essentials
import HTTP1
import HTTPTypes
package import Logging
package import Sessions
package import WebServer

/// Detects documents without the shim: a browser has kept them from the time before Footbridge ran at their address. They do not connect,
/// but they still request files, and the browser still updates their service worker. Requests without a connected page give them away. Also
/// ends service workers if a program wants that.
@BridgeActor
package final class CachedDocuments {
  /// The maximum number of requested addresses that are remembered, and of browsers that are reported.
  static let limit = 10_000

  private let sessions: SessionRegistry
  private let excluded: ExcludedPaths
  private let logger: Logger
  /// The time that a page has to connect: it may still be loading, or come back after a restart.
  private let timeout: Duration
  /// The addresses that were requested from this server, without scheme. Any other document comes from a cache.
  private var requested: Set<String> = []
  /// The sessions and hosts that are reported, or about to be.
  private var suspects: Set<String> = []

  package init(
    sessions: SessionRegistry, excluded: ExcludedPaths, logger: Logger, timeout: Duration = .seconds(3)
  ) {
    self.sessions = sessions
    self.excluded = excluded
    self.logger = logger
    self.timeout = timeout
  }

  /// Checks a request for the site. Returns whether it has answered the request.
  package func observe(_ exchange: HTTPExchange) -> Bool {
    let head = exchange.head
    guard let address = WorkerScripts.address(of: head) else { return false }
    let destination = head.fields.value(of: .secFetchDest)
    let reason = WorkerScripts.reason(of: head)
    guard reason != nil || destination != nil else { return false }
    let cookieValue = exchange.sessionCookie?.value
    if let reason {
      let session = sessions.running(exchange.sessionCookie)
      switch reason {
      case .registration:
        requested.insert(address)
        session?.serviceWorkers.registered(address, in: session?.pages ?? [])
      case .update:
        if let session, session.serviceWorkers.updated(address, in: session.pages) {
          answerLast(exchange)
          return true
        }
        // Without a session, the worker may belong to excluded documents, and may have been registered here.
        if cookieValue != nil || !requested.contains(address), !isExcluded(address) {
          suspect(address, cookieValue, by: "an update of its service worker")
        }
      }
      return false
    }
    // Navigations are left out: a worker passes on those that it does not answer.
    if head.fields.value(of: .secFetchMode) != "navigate", let destination,
      ["script", "style", "empty"].contains(destination),
      head.fields.value(of: .secFetchSite) == "same-origin", let referrer = WorkerScripts.referrer(of: head),
      !requested.contains(referrer), cookieValue != nil || destination != "empty", !isExcluded(referrer)
    {
      suspect(referrer, cookieValue, by: "a request from it")
    }
    if requested.count >= Self.limit { requested = [] }
    requested.insert(address)
    return false
  }

  private func isExcluded(_ address: String) -> Bool {
    excluded.contains(String(address[(address.firstIndex(of: "/") ?? address.endIndex)...].prefix { $0 != "?" }))
  }

  /// A document may have no shim. It is reported once for each browser and host, unless a page of its browser connects in time.
  private func suspect(_ address: String, _ cookieValue: String?, by evidence: String) {
    let key = "\(cookieValue ?? "") \(address.prefix { $0 != "/" })"
    guard !isHere(cookieValue), suspects.count < Self.limit, suspects.insert(key).inserted else { return }
    Task { [timeout, weak self] in
      try? await Task.sleep(for: timeout)
      self?.tell(address, cookieValue, by: evidence, key)
    }
  }

  /// Whether a page of a browser is connected, or was a moment ago.
  private func isHere(_ cookieValue: String?) -> Bool {
    guard let session = cookieValue.flatMap({ sessions.running(cookieValue: $0) }) else { return false }
    return !session.pages.isEmpty || session.serviceWorkers.hasJustHadPage
  }

  private func tell(_ address: String, _ cookieValue: String?, by evidence: String, _ key: String) {
    if isHere(cookieValue) {
      suspects.remove(key)
      return
    }
    let shown = PublicText.address(address)
    logger.warning(
      "A browser shows a document without the shim, so it has no native host: \(evidence) has come, and no page has connected. A service worker or the browser's cache has kept the document from before Footbridge ran here. \(ServiceWorkers.advice)",
      metadata: ["address": "\(shown)"])
    let session = cookieValue.flatMap { sessions.running(cookieValue: $0) }
    session?.journal.append(.page, action: "withoutShim", data: ["url": .string(shown)])
  }

  /// Answers with a worker that unregisters itself.
  private func answerLast(_ exchange: HTTPExchange) {
    exchange.respond(
      .ok,
      fields: [.contentType: "text/javascript", .cacheControl: "no-store", .serviceWorkerAllowed: "/"],
      body: ShimScript.lastWorker)
  }
}

extension HTTPField.Name {
  /// `Service-Worker-Allowed`: the largest scope that a service worker may have.
  static let serviceWorkerAllowed = named("Service-Worker-Allowed")
}
