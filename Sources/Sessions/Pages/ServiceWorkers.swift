package import BridgeCore
package import BridgeRuntime

/// The service workers in the browser of a session, as far as the server knows of them: browsers ask it for their scripts.
///
/// A worker that has kept documents from before Footbridge was there answers with them, and such a page has no shim. So a page that has one
/// looks into the caches, and a program can have the workers unregistered: by pages with a shim at once, and else when the browser next looks
/// whether a worker's script has changed.
@BridgeActor
package final class ServiceWorkers {
  /// What a page has unregistered and deleted.
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

    /// As the control API shows it.
    package var json: [String: JSONValue] {
      [
        "workers": .array(workers.sorted().map { .string($0) }),
        "caches": .array(caches.sorted().map { .string($0) }),
      ]
    }
  }

  /// What a person can do, for the log.
  package static let advice =
    "Unregister the worker: footbridge ctl unregister-service-workers, unregister_service_workers() in a test, or Clear site data in the developer tools."

  /// The largest number of scripts that are remembered.
  private static let scriptLimit = 100

  /// How long to wait for pages.
  private let patience: Duration
  /// Whether a browser has asked for the script of a worker.
  private var areThere = false
  /// Whether workers are to end that were registered before.
  private var endsFormer = false
  /// The scripts of workers that were registered since then.
  private var newScripts: Set<String> = []
  /// When a page was last there.
  private var lastPage: ContinuousClock.Instant?
  private var asked: Set<PageName> = []
  private var found = Unregistered()
  private var waiting: [CheckedContinuation<Void, Never>] = []

  init(patience: Duration = .seconds(5)) {
    self.patience = patience
  }

  // MARK: Scripts

  /// A page registers a worker with this script.
  package func registered(_ script: String, in pages: [Page]) {
    if endsFormer, newScripts.count < Self.scriptLimit { newScripts.insert(script) }
    areThere(in: pages)
  }

  /// The browser looks whether the script of a worker has changed. Returns whether the worker is to end.
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

  /// A page has said hello. It looks for documents without a shim if there are workers.
  func greeted(_ page: Page) {
    lastPage = .now
    if areThere { look(page) }
  }

  private func look(_ page: Page) {
    page.host.send(event: FootbridgeAction.workers, data: ["task": "look"])
  }

  /// Whether a page was there a moment ago. What comes after it may be its own.
  package var hasJustHadPage: Bool { lastPage.map { .now - $0 < .seconds(10) } ?? false }

  // MARK: Unregistering

  /// Has these pages unregister the workers of their origins and delete the caches, and ends the workers of other pages when the browser
  /// next asks for their scripts. Returns what the pages have done so far, after some time at the latest.
  package func unregister(by pages: [Page]) async -> Unregistered {
    (endsFormer, newScripts) = (true, [])
    let listening = pages.filter(\.isListening)
    if asked.isEmpty { found = Unregistered() }
    for page in listening {
      asked.insert(page.name)
      page.host.send(event: FootbridgeAction.workers, data: ["task": "unregister"])
    }
    if asked.isEmpty { return Unregistered() }
    let timer = Task { [patience, weak self] in
      try? await Task.sleep(for: patience)
      if !Task.isCancelled { self?.finish() }
    }
    await withCheckedContinuation { waiting.append($0) }
    timer.cancel()
    return found
  }

  /// A page has unregistered them.
  func unregistered(_ some: Unregistered, by page: PageName) {
    found.workers.formUnion(some.workers)
    found.caches.formUnion(some.caches)
    done(page)
  }

  /// A page has ended.
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
