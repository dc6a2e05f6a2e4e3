import BridgeRuntime
import Delivery

/// The calls of ended pages. They are remembered so that a call that arrives twice takes effect exactly once. A page may repeat a call in
/// the goodbye after its socket was closed, on a late socket, or when the browser restores it from its page cache.
struct DepartedPages {
  /// The part of a page that is remembered.
  struct Page {
    /// The page's name in the journal.
    let name: PageName
    /// Its document, if it is known.
    let document: ServedDocument?
    /// The calls that it has made, and its goodbye.
    let link: PageLink.Departed
  }

  /// The maximum number of remembered pages. The oldest are forgotten first.
  static let limit = 64
  /// How long a page is remembered. Chromium keeps a page in its page cache for ten minutes.
  static let lifetime = Duration.seconds(900)
  /// The maximum size of the answers kept for one page, in bytes.
  static let answerByteLimit = 64 << 10

  private var pages: [(shimID: String, page: Page, time: BridgeInstant)] = []

  /// Remembers a page.
  mutating func remember(_ page: Page, as shimID: String, at now: BridgeInstant) {
    pages.removeAll { $0.time.duration(to: now) >= Self.lifetime }
    if pages.count >= Self.limit { pages.removeFirst() }
    pages.append((shimID, page, now))
  }

  /// Whether a page's goodbye waits for earlier requests.
  func isWaiting(_ shimID: String) -> Bool {
    pages.contains { $0.shimID == shimID && $0.page.link.isWaiting }
  }

  /// Removes and returns the remembered part of a page; nil if there is none.
  mutating func take(_ shimID: String) -> Page? {
    guard let index = pages.firstIndex(where: { $0.shimID == shimID }) else { return nil }
    return pages.remove(at: index).page
  }
}
