import BridgeRuntime
import Essentials
import HTTP1
import HTTPTypes
import Logging
import Sessions
import WebServer

/// Notices documents that a browser has kept from before Footbridge was at their address. They have no shim, so they cannot tell of
/// themselves. But they ask for things, and the browser looks after the service worker that has answered with them: such requests come without
/// a page. Ends workers, too, where a program wants that.
@BridgeActor
final class KeptDocuments {
  /// The maximum number of requested addresses that are remembered, and of browsers that are told of.
  static let limit = 10_000

  private let sessions: SessionRegistry
  private let excluded: ExcludedPaths
  private let logger: Logger
  /// How long a page may take until it is there: it may be on its way, or come back after a restart.
  private let patience: Duration
  /// What was requested from this server, without scheme. A document that is not among them comes from elsewhere.
  private var requested: Set<String> = []
  /// What was told, or is about to be: sessions and hosts.
  private var suspects: Set<String> = []

  init(
    sessions: SessionRegistry, excluded: ExcludedPaths, logger: Logger, patience: Duration = .seconds(3)
  ) {
    self.sessions = sessions
    self.excluded = excluded
    self.logger = logger
    self.patience = patience
  }

  /// Looks at a request for the site. Returns whether it has its answer.
  func observe(_ exchange: HTTPExchange) -> Bool {
    let head = exchange.head
    guard let destination = head.fields.value(of: .secFetchDest), let address = WorkerScripts.address(of: head) else {
      return false
    }
    let cookieValue = SessionCookie.value(in: head.fields)
    if let reason = WorkerScripts.reason(of: head) {
      let session = cookieValue.flatMap { sessions.running(cookieValue: $0) }
      switch reason {
      case .registration:
        requested.insert(address)
        session?.serviceWorkers.registered(address, in: session?.pages ?? [])
      case .update:
        if let session, session.serviceWorkers.updated(address, in: session.pages) {
          answerLast(exchange)
          return true
        }
        // Without a session, the worker may be one of excluded documents, which was registered here.
        if cookieValue != nil || !requested.contains(address), !isExcluded(address) {
          suspect(address, cookieValue, by: "its service worker")
        }
      }
      return false
    }
    // With each navigation, a worker passes on what it does not answer.
    if head.fields.value(of: .secFetchMode) != "navigate", ["script", "style", "empty"].contains(destination),
      head.fields.value(of: .secFetchSite) == "same-origin", let referrer = WorkerScripts.referrer(of: head),
      !requested.contains(referrer), cookieValue != nil || destination != "empty", !isExcluded(referrer)
    {
      suspect(referrer, cookieValue, by: "what it asks for")
    }
    if requested.count >= Self.limit { requested = [] }
    requested.insert(address)
    return false
  }

  private func isExcluded(_ address: String) -> Bool {
    excluded.contains(String(address[(address.firstIndex(of: "/") ?? address.endIndex)...].prefix { $0 != "?" }))
  }

  /// A document may have no shim. It is told of once for each browser and host, unless a page of its browser is there in time.
  private func suspect(_ address: String, _ cookieValue: String?, by evidence: String) {
    let key = "\(cookieValue ?? "") \(address.prefix { $0 != "/" })"
    guard !isHere(cookieValue), suspects.count < Self.limit, suspects.insert(key).inserted else { return }
    Task { [patience, weak self] in
      try? await Task.sleep(for: patience)
      self?.tell(address, cookieValue, by: evidence, key)
    }
  }

  /// Whether a page of a browser is here, or was a moment ago.
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
      "A browser shows a document without the shim, as \(evidence) shows: it comes from a service worker or the browser's cache, which has kept it from before Footbridge was at this address. It has no native host. \(ServiceWorkers.advice)",
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
  /// How far a service worker may reach, beyond the folder of its script.
  static let serviceWorkerAllowed = named("Service-Worker-Allowed")
}
