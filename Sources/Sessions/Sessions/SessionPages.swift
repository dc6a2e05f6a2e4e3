import BridgeRuntime

/// Which pages a session has: those that are open, those of an earlier run of the server that may come back, and those that have ended.
@BridgeActor
final class SessionPages {
  /// The pages that are open, oldest first.
  private(set) var open: [Page] = []
  /// End the pages that have lost their socket, unless they come back. By the pages' ids.
  private var endings: [String: Task<Void, Never>] = [:]
  /// What an earlier run of the server has left of its pages, until the first page opens. By their shims' ids, as all that follows.
  private var formerRecords: [String: PageRecord] = [:]
  /// The pages of an earlier run that have not come back yet. What happens meanwhile is noted for them.
  private var absent: [String: Page] = [:]
  /// The pages that have ended.
  private var departed = DepartedPages()
  /// Wait for requests of goodbyes that may not come.
  private var goodbyeWaits: [String: Task<Void, Never>] = [:]

  /// The pages that are open, and those that have not come back yet.
  var all: [Page] { open + absent.values }

  // MARK: Open pages

  /// The open page with this shim.
  func open(shimID: String) -> Page? { open.first { $0.shimID == shimID } }

  /// A page opens.
  func add(_ page: Page) {
    open.append(page)
  }

  /// A page has ended. Only pages with a shim are remembered.
  func remove(_ page: Page) {
    open.removeAll { $0 === page }
    endings.removeValue(forKey: page.id)?.cancel()
  }

  /// Lets go of all pages.
  ///
  /// - Returns: the pages that were open or absent.
  func removeAll() -> [Page] {
    defer {
      open = []
      absent = [:]
    }
    return all
  }

  /// A page has lost its socket. Runs `end` unless the page comes back in time.
  func expectBack(_ page: Page, for time: Duration, orElse end: @escaping () -> Void) {
    endings[page.id]?.cancel()
    endings[page.id] = Task {
      do { try await Task.sleep(for: time) } catch { return }
      end()
    }
  }

  /// A page that had lost its socket has another one.
  func cameBack(_ page: Page) {
    endings.removeValue(forKey: page.id)?.cancel()
  }

  // MARK: Pages of an earlier run of the server

  /// The pages of which the store has these records may come back.
  func expect(_ records: [String: PageRecord]) {
    formerRecords = records
  }

  /// Takes out the records of pages that have not been made yet, by their shims' ids, in a fixed order.
  func takeFormerRecords() -> [(shimID: String, record: PageRecord)] {
    defer { formerRecords = [:] }
    return formerRecords.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  /// A page was made of its record, and has not come back yet.
  func addAbsent(_ page: Page, shimID: String) {
    absent[shimID] = page
  }

  /// Takes out a page that has come back.
  func takeAbsent(shimID: String) -> Page? { absent.removeValue(forKey: shimID) }

  /// Takes out the pages that have not come back.
  func takeAllAbsent() -> [(shimID: String, page: Page)] {
    defer { absent = [:] }
    return absent.map { ($0.key, $0.value) }
  }

  // MARK: Pages that have ended

  /// Remembers a page that has ended, should a late request of it come.
  func remember(_ page: Page, shimID: String, at now: BridgeInstant) {
    departed.remember(page.departed, as: shimID, at: now)
  }

  /// Takes out what is remembered of a page that has ended.
  func takeDeparted(shimID: String) -> DepartedPages.Page? { departed.take(shimID) }

  /// Whether requests of the goodbye of a page that has ended wait for earlier ones.
  func isDepartedWaiting(shimID: String) -> Bool { departed.isWaiting(shimID) }

  /// Runs `body` after a time, unless the goodbye of the page with this shim is waited for already.
  func waitForGoodbyes(of shimID: String, for time: Duration, then body: @escaping () -> Void) {
    if goodbyeWaits[shimID] != nil { return }
    goodbyeWaits[shimID] = Task { [weak self] in
      try? await Task.sleep(for: time)
      self?.goodbyeWaits[shimID] = nil
      body()
    }
  }
}
