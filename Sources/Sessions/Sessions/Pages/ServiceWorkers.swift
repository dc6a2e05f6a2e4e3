package import BridgeCore
package import BridgeRuntime

/// The service workers in the browser of a session. The server knows of a worker if the browser requests its script.
///
/// A worker may have cached documents from before Footbridge was at this address. A page from such a cache has no shim. So pages with a shim
/// look into the caches. A program can unregister the workers: through pages with a shim at once, otherwise when the browser next checks
/// whether the script of a worker has changed.
@BridgeActor
package final class ServiceWorkers {
  /// The workers that a page has unregistered, and the caches that it has deleted.
  package struct Unregistered: Sendable {
    /// The scopes of the workers.
    package var workers: Set<String> = []
    /// The names of the caches.
    package var caches: Set<String> = []

    package init() {}

    init(_ data: [String: JSONValue]) {
      func texts(_ name: String) -> Set<String> {
        Set((data[name]?.arrayValue ?? []).prefix(100).compactMap { $0.stringValue.map { String($0.prefix(2048)) } })
      }
      (workers, caches) = (texts("workers"), texts("caches"))
    }

    /// The JSON of the control API.
    package var json: [String: JSONValue] {
      [
        "workers": .array(workers.sorted().map { .string($0) }),
        "caches": .array(caches.sorted().map { .string($0) }),
      ]
    }
  }

  /// The advice for people in the log.
  package static let advice =
    "Unregister the worker: footbridge ctl unregister-service-workers, unregister_service_workers() in a test, or Clear site data in the developer tools."

  /// The largest number of scripts that are remembered.
  private static let scriptLimit = 100

  /// The maximum time to wait for pages.
  private let timeout: Duration
  /// Whether the browser has requested the script of a worker.
  private var areThere = false
  /// Whether the workers that were registered before ``unregister(by:)`` must end.
  private var endsFormer = false
  /// The scripts of workers that were registered afterwards.
  private var newScripts: Set<String> = []
  /// The last time when a page said hello or ended.
  private var lastPage: ContinuousClock.Instant?
  private var asked: Set<PageName> = []
  private var found = Unregistered()
  private var waiting: [CheckedContinuation<Void, Never>] = []

  init(timeout: Duration = .seconds(5)) {
    self.timeout = timeout
  }

  // MARK: Scripts

  /// Notes that a page registers a worker with this script.
  package func registered(_ script: String, in pages: [Page]) {
    if endsFormer, newScripts.count < Self.scriptLimit { newScripts.insert(script) }
    areThere(in: pages)
  }

  /// Notes that the browser checks whether the script of a worker has changed. Returns whether the worker must end.
  package func updated(_ script: String, in pages: [Page]) -> Bool {
    if endsFormer, !newScripts.contains(script) { return true }
    areThere(in: pages)
    return false
  }

  private func areThere(in pages: [Page]) {
    if areThere { return }
    areThere = true
    for page in pages where page.isListening { look(page) }
  }

  /// Lets a page that has said hello search for cached documents without a shim, if there are workers.
  func greeted(_ page: Page) {
    lastPage = .now
    if areThere { look(page) }
  }

  private func look(_ page: Page) {
    page.host.send(event: FootbridgeAction.script, data: ["name": "workers.js?task=look"])
  }

  /// Whether a page was there in the last ten seconds. A request may then come from that page.
  package var hasJustHadPage: Bool { lastPage.map { .now - $0 < .seconds(10) } ?? false }

  // MARK: Unregistering

  /// Lets these pages unregister the workers of their origins and delete the caches. Other workers end when the browser next requests their
  /// scripts. Waits for the pages, but not longer than ``timeout``. Returns what the pages have unregistered and deleted.
  package func unregister(by pages: [Page]) async -> Unregistered {
    (endsFormer, newScripts) = (true, [])
    let listening = pages.filter(\.isListening)
    if asked.isEmpty { found = Unregistered() }
    for page in listening {
      asked.insert(page.name)
      page.host.send(event: FootbridgeAction.script, data: ["name": "workers.js?task=unregister"])
    }
    if asked.isEmpty { return Unregistered() }
    let timer = Task { [timeout, weak self] in
      try? await Task.sleep(for: timeout)
      if !Task.isCancelled { self?.finish() }
    }
    await withCheckedContinuation { waiting.append($0) }
    timer.cancel()
    return found
  }

  /// Notes what a page has unregistered and deleted.
  func unregistered(_ some: Unregistered, by page: PageName) {
    found.workers.formUnion(some.workers)
    found.caches.formUnion(some.caches)
    done(page)
  }

  /// Notes that a page has ended. Its answer is not waited for.
  func ended(_ page: PageName) {
    lastPage = .now
    done(page)
  }

  private func done(_ page: PageName) {
    if asked.remove(page) != nil, asked.isEmpty { finish() }
  }

  private func finish() {
    asked = []
    let waiting = waiting
    self.waiting = []
    for continuation in waiting { continuation.resume() }
  }
}
