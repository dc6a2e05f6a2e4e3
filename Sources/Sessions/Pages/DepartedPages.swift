import BridgeRuntime

/// The calls of ended pages, remembered so that a call that arrives twice takes effect exactly once. A page may repeat a
/// call in the goodbye after its socket was closed, on a late socket, or when the browser restores it from the
/// back/forward cache.
struct DepartedPages {
  /// What is remembered of one page.
  package struct Page {
    /// What the journal calls it.
    let name: PageName
    /// Its document, as far as that is known.
    let document: ServedDocument?
    /// The calls that it has made.
    let calls: KnownCalls
    /// What it has sent as it left.
    let goodbyes: GoodbyeOrder
  }

  /// How many pages are remembered; the oldest make room.
  static let limit = 64
  /// How long a page is remembered. Chromium keeps a page in its back/forward cache for ten minutes.
  static let lifetime = Duration.seconds(900)
  /// How many bytes of its answers are kept for a page that comes back.
  static let answerByteLimit = 64 << 10

  private var pages: [(shimID: String, page: Page, time: BridgeInstant)] = []

  /// Remembers a page, which is not among them.
  mutating func remember(_ page: Page, as shimID: String, at now: BridgeInstant) {
    pages.removeAll { $0.time.duration(to: now) >= Self.lifetime }
    if pages.count >= Self.limit { pages.removeFirst() }
    pages.append((shimID, page, now))
  }

  /// Whether requests of a page's goodbye wait for earlier ones.
  func isWaiting(_ shimID: String) -> Bool {
    pages.contains { $0.shimID == shimID && $0.page.goodbyes.isWaiting }
  }

  /// Takes out what is remembered of a page.
  mutating func take(_ shimID: String) -> Page? {
    guard let index = pages.firstIndex(where: { $0.shimID == shimID }) else { return nil }
    return pages.remove(at: index).page
  }
}
