import BridgeRuntime
import OnsideKit

/// The rules about callbacks that a page does not hear (L02, L07, L09, L16), for one page. Pure.
///
/// All callbacks are optional. So what a page misses counts only if the page has done something that makes the callback matter.
struct CallbackHearing {
  /// What the linter's script says about a callback.
  enum Report: String {
    /// It had no handler when native called it.
    case unheard
    /// It still has none, a second later.
    case deaf
    /// It has one by now.
    case late
  }

  /// Whether the page has used `window.onside`.
  private var hasCalled = false
  private var hasRestored = false
  /// Whether updates of transactions were missed, and it is not known yet what the page makes of that.
  private var hasMissedUpdates = false

  /// The page has made a call.
  mutating func called(_ call: OnsideCall) {
    hasCalled = true
    switch call {
    case .restoreCompletedTransactions: hasRestored = true
    // It looks at the queue itself.
    case .getTransactions: hasMissedUpdates = false
    default: break
    }
  }

  /// The script has reported a callback.
  ///
  /// - Parameter hasOtherPrices: Whether the page's products have prices of another country.
  /// - Returns: The rule that this breaks; nil for none.
  mutating func reported(_ report: Report, _ callback: OnsideCallback, hasOtherPrices: Bool) -> String? {
    switch (callback, report) {
    case (.onTransactionsUpdated, .unheard):
      if hasCalled { hasMissedUpdates = true }
    case (.onTransactionsUpdated, .deaf): return takeMissed() ? "L02" : nil
    case (.onTransactionsUpdated, .late): return takeMissed() ? "L16" : nil
    case (.onRestoreCompletedTransactionsFinished, .unheard),
      (.onRestoreCompletedTransactionsFailedWithError, .unheard):
      if hasRestored { return "L07" }
    case (.onStorefrontChanged, .unheard):
      if hasOtherPrices { return "L09" }
    default: break
    }
    return nil
  }

  /// The page, or its test, ends. Returns whether it has missed updates of transactions.
  mutating func ended() -> Bool { takeMissed() }

  private mutating func takeMissed() -> Bool {
    defer { hasMissedUpdates = false }
    return hasMissedUpdates
  }
}

/// For which country each product was loaded (L09, L18). Pure.
struct LoadedPrices {
  /// The maximum number of products that are remembered.
  static let limit = 2_000

  private var countries: [String: String] = [:]
  /// What was loaded last.
  private var latest: (products: [String], countryCode: String) = ([], "")

  /// A page loads products at the prices of a country.
  mutating func loaded(_ products: [String], in countryCode: String) {
    // Pages load the same products again. Without this, "loadProducts, twenty products" takes a fifth more instructions.
    if latest == (products, countryCode) { return }
    latest = (products, countryCode)
    for product in products where countries[product] != nil || countries.count < Self.limit {
      countries[product] = countryCode
    }
  }

  /// The country for which a product was loaded last; nil if it was not, or is not remembered.
  subscript(product: String) -> String? { countries[product] }

  /// Whether any product was loaded for another country.
  func hasOther(than countryCode: String) -> Bool { countries.values.contains { $0 != countryCode } }
}

/// The calls of one page that were rejected, so that an error that nobody catches is found to be theirs (L10). Pure.
struct RejectedCalls {
  /// A call.
  struct Call: Equatable {
    /// The function, such as `onside.purchase`.
    let action: String
    /// Its cursor in the journal.
    let cursor: Int?
  }

  /// The maximum number of calls that are remembered. Browsers report an error that nobody catches at once.
  static let limit = 50

  private var recent: [(code: String, call: Call?)] = []

  /// A call was rejected with this error. It is nil if a rule of a test has done that, and not the host.
  mutating func rejected(_ call: Call?, code: String) {
    recent.append((code, call))
    if recent.count > Self.limit { recent.removeFirst() }
  }

  /// An error with this code was not caught. Returns the call that it was of; nil if it is of none that the host has rejected by itself.
  mutating func uncaught(code: String) -> Call? {
    // Browsers report it soon, so it is of the latest one.
    recent.lastIndex { $0.code == code }.flatMap { recent.remove(at: $0).call }
  }
}

/// The rule about transactions that have ended and are not finished (L01): those that a page knows of, and since when. Pure.
struct UnfinishedTransactions {
  /// How long a page may take to finish a transaction before it is worth a warning.
  static let patience = Duration.seconds(30)
  /// How long a page may take before it is blamed at the end of the session: it may have been told just before.
  static let grace = SessionLint.grace

  private struct Entry {
    /// On the session's clock.
    let since: BridgeInstant
    /// On the server's clock.
    let toldAt: BridgeInstant
    /// The entry of the journal that has ended it.
    let cause: Int?
    var isReported = false
  }

  private var entries: [String: Entry] = [:]

  /// The ids of those that wait to be finished.
  var ids: some Collection<String> { entries.keys }

  /// A page knows that a transaction has ended, by what an entry of the journal has caused.
  mutating func ended(_ id: String, at now: BridgeInstant, toldAt: BridgeInstant, cause: Int?) {
    if entries[id] == nil { entries[id] = Entry(since: now, toldAt: toldAt, cause: cause) }
  }

  /// A transaction was finished, or has left the queue.
  mutating func finished(_ id: String) {
    entries[id] = nil
  }

  /// When the next one has waited too long, on the session's clock; nil if none will.
  var nextDeadline: BridgeInstant? {
    entries.values.filter { !$0.isReported }.map(\.since).min()?.advanced(by: Self.patience)
  }

  /// Those that have waited too long, each once, in the order of their ids.
  mutating func overdue(at now: BridgeInstant) -> [(id: String, cause: Int?)] {
    let found = entries.filter { !$1.isReported && $1.since.advanced(by: Self.patience) <= now }.sorted {
      $0.key < $1.key
    }
    for (id, _) in found { entries[id]?.isReported = true }
    return found.map { ($0.key, $0.value.cause) }
  }

  /// Those that are left at the end, each once. `now` is on the server's clock.
  mutating func leftOver(at now: BridgeInstant) -> [(id: String, cause: Int?)] {
    let found = entries.filter { $1.toldAt.duration(to: now) >= Self.grace }.sorted { $0.key < $1.key }
    for (id, _) in found { entries[id] = nil }
    return found.map { ($0.key, $0.value.cause) }
  }
}
