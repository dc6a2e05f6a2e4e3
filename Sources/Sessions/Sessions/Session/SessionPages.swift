import BridgeRuntime
import Delivery

/// The pages of a session: the open ones, those of an earlier run of the server that may come back, and those that have ended.
@BridgeActor
final class SessionPages {
  /// The pages that are open, oldest first.
  private(set) var open: [Page] = []
  /// The tasks that end pages that have lost their socket, by page id.
  private var endings: [String: Task<Void, Never>] = [:]
  /// The records of pages of an earlier run of the server, until the first page opens. By shim id, like everything below.
  private var formerRecords: [String: PageRecord] = [:]
  /// The pages of an earlier run that have not come back yet. Messages to them are queued.
  private var absent: [String: Page] = [:]
  /// The pages in browsers' page caches, oldest first. Their calls continue.
  private var suspended: [Page] = []
  /// The pages that have ended.
  private var departed = DepartedPages()
  /// The shim ids of pages of earlier launches, oldest first.
  private var endedWithApp: [String] = []
  /// The tasks that wait for missing requests of goodbyes.
  private var goodbyeWaits: [String: Task<Void, Never>] = [:]

  /// The open pages, and those that may come back.
  var all: [Page] { open + suspended + absent.values }

  // MARK: Open pages

  /// The open page with this shim.
  func open(shimID: String) -> Page? { open.first { $0.shimID == shimID } }

  /// Adds a page that opens.
  func add(_ page: Page) {
    open.append(page)
  }

  /// Removes a page that has ended.
  func remove(_ page: Page) {
    open.removeAll { $0 === page }
    suspended.removeAll { $0 === page }
    endings.removeValue(forKey: page.id)?.cancel()
  }

  /// Releases all pages.
  ///
  /// - Returns: The pages that were open or absent.
  func removeAll() -> [Page] {
    defer {
      open = []
      suspended = []
      absent = [:]
    }
    return all
  }

  /// Runs `end` unless a page that has lost its socket comes back in time.
  func expectBack(_ page: Page, for time: Duration, orElse end: @escaping () -> Void) {
    endings[page.id]?.cancel()
    endings[page.id] = Task {
      do { try await Task.sleep(for: time) } catch { return }
      end()
    }
  }

  /// Notes that a page has a socket again.
  func returned(_ page: Page) {
    endings.removeValue(forKey: page.id)?.cancel()
  }

  // MARK: Pages in the browser's page cache

  /// The most pages that are suspended. Browsers keep fewer in a tab: Chromium six.
  static let suspendedLimit = 16

  /// Notes that an open page is in the browser's page cache.
  ///
  /// - Returns: The page that must end, because there are too many; nil if none must.
  func suspend(_ page: Page) -> Page? {
    open.removeAll { $0 === page }
    suspended.removeAll { $0 === page }
    suspended.append(page)
    return suspended.count > Self.suspendedLimit ? suspended[0] : nil
  }

  /// The suspended page with this shim.
  func suspended(shimID: String) -> Page? { suspended.first { $0.shimID == shimID } }

  /// The suspended pages, oldest first.
  var allSuspended: [Page] { suspended }

  /// Removes a page that has come back. Returns nil if none is suspended with this id.
  func takeSuspended(shimID: String) -> Page? {
    guard let page = suspended(shimID: shimID) else { return nil }
    suspended.removeAll { $0 === page }
    returned(page)
    return page
  }

  // MARK: Pages of an earlier run of the server

  /// Expects the pages with these records.
  func expect(_ records: [String: PageRecord]) {
    formerRecords = records
  }

  /// Removes and returns the records of pages that have not been created yet, in a fixed order.
  func takeFormerRecords() -> [(shimID: String, record: PageRecord)] {
    defer { formerRecords = [:] }
    return formerRecords.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  /// Adds a page that was created from its record and has not come back yet.
  func addAbsent(_ page: Page, shimID: String) {
    absent[shimID] = page
  }

  /// Removes and returns a page that has come back.
  func takeAbsent(shimID: String) -> Page? { absent.removeValue(forKey: shimID) }

  /// Removes and returns the pages that have not come back.
  func takeAllAbsent() -> [(shimID: String, page: Page)] {
    defer { absent = [:] }
    return absent.map { ($0.key, $0.value) }
  }

  // MARK: Pages that have ended

  /// Remembers a page that has ended, in case one of its requests comes late.
  func remember(_ page: Page, shimID: String, at now: BridgeInstant) {
    let link = page.link.departed(answerByteLimit: DepartedPages.answerByteLimit)
    departed.remember(
      DepartedPages.Page(name: page.name, document: page.document, link: link), as: shimID, at: now)
  }

  /// Removes and returns the remembered part of a page that has ended; nil if there is none.
  func takeDeparted(shimID: String) -> DepartedPages.Page? { departed.take(shimID) }

  /// Notes that a page has ended with its app. It may not know this: it has no socket, or is in the browser's page cache.
  func endedWithApp(_ page: Page) {
    guard let shimID = page.shimID else { return }
    endedWithApp.append(shimID)
    if endedWithApp.count > DepartedPages.limit { endedWithApp.removeFirst() }
  }

  /// Takes over which pages have ended with the app, from its previous launch.
  func takeOver(from former: SessionPages) { endedWithApp = former.endedWithApp }

  /// Whether a page belongs to an earlier launch of the app.
  func hasEndedWithApp(shimID: String) -> Bool { endedWithApp.contains(shimID) }

  /// Whether the goodbye of a page that has ended waits for earlier requests.
  func isDepartedWaiting(shimID: String) -> Bool { departed.isWaiting(shimID) }

  /// Runs `body` after a time, unless there is already such a wait for this page.
  func waitForGoodbyes(of shimID: String, for time: Duration, then body: @escaping () -> Void) {
    if goodbyeWaits[shimID] != nil { return }
    goodbyeWaits[shimID] = Task { [weak self] in
      try? await Task.sleep(for: time)
      self?.goodbyeWaits[shimID] = nil
      body()
    }
  }
}
