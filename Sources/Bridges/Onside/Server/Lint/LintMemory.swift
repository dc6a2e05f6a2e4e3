import BridgeRuntime
import OnsideKit
import Sessions

/// The rules about callbacks without a handler (L02, L07, L09, L16), for one page. A pure state machine.
///
/// All callbacks are optional. So a missing handler is a mistake only if the page has done something that needs the callback.
struct CallbackHearing {
  /// A report of the linter's script about a callback.
  enum Report: String {
    /// It had no handler when the host called it.
    case unheard
    /// It still had no handler a second later.
    case deaf
    /// It got a handler within this second.
    case late
  }

  /// Whether the page has used `window.onside`.
  private var hasCalled = false
  private var hasRestored = false
  /// Whether the page has missed updates of transactions, and has not read the queue since.
  private var hasMissedUpdates = false

  /// Notes a call of the page.
  mutating func called(_ call: OnsideCall) {
    hasCalled = true
    switch call {
    case .restoreCompletedTransactions: hasRestored = true
    // The page reads the queue itself, so it has missed nothing.
    case .getTransactions: hasMissedUpdates = false
    default: break
    }
  }

  /// Handles a report of the script.
  ///
  /// - Parameter hasOtherPrices: Whether the page has products with the prices of another country.
  /// - Returns: The id of the rule that the page breaks; nil for none.
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

  /// Ends the check, since the page or its test ends. Returns whether the page has missed updates of transactions.
  mutating func ended() -> Bool { takeMissed() }

  private mutating func takeMissed() -> Bool {
    defer { hasMissedUpdates = false }
    return hasMissedUpdates
  }
}

/// The country for which each product was loaded (L09, L18).
struct LoadedPrices {
  /// The maximum number of products that are remembered.
  static let limit = 2_000

  private var countries: [String: String] = [:]
  /// The arguments of the last ``loaded(_:in:)``.
  private var latest: (products: [String], countryCode: String) = ([], "")

  /// Notes that a page loads products with the prices of a country.
  mutating func loaded(_ products: [String], in countryCode: String) {
    // Pages often load the same products again. Without this check, "loadProducts, twenty products" takes a fifth more instructions.
    if latest == (products, countryCode) { return }
    latest = (products, countryCode)
    for product in products where countries[product] != nil || countries.count < Self.limit {
      countries[product] = countryCode
    }
  }

  /// The country for which a product was last loaded; nil if this is unknown.
  subscript(product: String) -> String? { countries[product] }

  /// Whether a product was last loaded for another country than this one.
  func hasOther(than countryCode: String) -> Bool { countries.values.contains { $0 != countryCode } }
}

/// The rejected calls of one page. They tell which call an uncaught error belongs to (L10).
struct RejectedCalls {
  /// A rejected call.
  struct Call: Equatable {
    /// The function, such as `onside.purchase`.
    let action: String
    /// The cursor of its journal entry.
    let cursor: Int?
  }

  /// The maximum number of calls that are remembered. Few are needed, since browsers report an uncaught error at once.
  static let limit = 50

  private var recent: [(code: String, call: Call?)] = []

  /// Notes that a call was rejected with this error. `call` is nil if a test's rule has rejected it, not the host.
  mutating func rejected(_ call: Call?, code: String) {
    recent.append((code, call))
    if recent.count > Self.limit { recent.removeFirst() }
  }

  /// Returns the rejected call to which an uncaught error with this code belongs; nil if there is none.
  mutating func uncaught(code: String) -> Call? {
    // Browsers report an uncaught error soon, so it belongs to the latest call.
    recent.lastIndex { $0.code == code }.flatMap { recent.remove(at: $0).call }
  }
}

/// The rejections that nobody has caught so far (L10), of one page. A page may catch them a little later: `const bought = purchase(); await
/// other(); await bought;`. A pure state machine.
struct UncaughtRejections {
  /// The time that a page has to catch a rejection.
  static let timeout = SessionLint.grace
  /// The maximum number of rejections that wait. Further ones are reported at once.
  static let limit = 50

  /// A rejection.
  struct Rejection: Equatable {
    /// The error's code.
    let code: String
    /// The call that was rejected.
    let call: RejectedCalls.Call
  }

  private var waiting: [(number: String, rejection: Rejection, since: BridgeInstant)] = []

  /// Whether a page may still catch one.
  var isWaiting: Bool { !waiting.isEmpty }

  /// The time at which the first one counts as uncaught, on the server's clock; nil if none waits.
  var nextDeadline: BridgeInstant? { waiting.first?.since.advanced(by: Self.timeout) }

  /// Notes that nobody has caught a rejection so far. `number` identifies it in its page; nil if it does not say. Returns those to report now.
  mutating func uncaught(_ rejection: Rejection, number: String?, at now: BridgeInstant) -> [Rejection] {
    guard let number, waiting.count < Self.limit else { return [rejection] }
    waiting.append((number, rejection, now))
    return []
  }

  /// Notes that a page has caught a rejection after all.
  mutating func caught(number: String) {
    waiting.removeAll { $0.number == number }
  }

  /// Returns the rejections that have waited long enough; with nil, all of them.
  mutating func overdue(at now: BridgeInstant?) -> [Rejection] {
    let found = waiting.prefix { each in now.map { each.since.advanced(by: Self.timeout) <= $0 } ?? true }
    waiting.removeFirst(found.count)
    return found.map(\.rejection)
  }
}

/// The rule about transactions that have ended and are not finished (L01). A pure state machine.
struct UnfinishedTransactions {
  /// The time that a page has to finish a transaction. After that, the linter warns.
  static let timeout = Duration.seconds(30)
  /// The time that an open page has at the end of a test.
  static let grace = SessionLint.grace

  private struct Entry {
    /// The end of the transaction, on the session's clock.
    let since: BridgeInstant
    /// The time when the page got the callback, on the server's clock.
    let toldAt: BridgeInstant
    /// The cursor of the journal entry that has caused the end.
    let cause: Int?
    var isReported = false
  }

  private var entries: [String: Entry] = [:]

  /// The ids of the transactions that wait to be finished.
  var ids: some Collection<String> { entries.keys }

  /// Notes that a transaction has ended and that a page got the callback. `cause` is the cursor of the journal entry that has caused the end.
  mutating func ended(_ id: String, at now: BridgeInstant, toldAt: BridgeInstant, cause: Int?) {
    if entries[id] == nil { entries[id] = Entry(since: now, toldAt: toldAt, cause: cause) }
  }

  /// Notes that a transaction was finished, or has left the queue.
  mutating func finished(_ id: String) {
    entries[id] = nil
  }

  /// The time of the next warning, on the session's clock; nil if there is none.
  var nextDeadline: BridgeInstant? {
    entries.values.filter { !$0.isReported }.map(\.since).min()?.advanced(by: Self.timeout)
  }

  /// Returns the transactions that have waited too long, each only once, in the order of their ids.
  mutating func overdue(at now: BridgeInstant) -> [(id: String, cause: Int?)] {
    let found = entries.filter { !$1.isReported && $1.since.advanced(by: Self.timeout) <= now }.sorted {
      $0.key < $1.key
    }
    for (id, _) in found { entries[id]?.isReported = true }
    return found.map { ($0.key, $0.value.cause) }
  }

  /// Returns the transactions that are not finished at the end, each only once. `now` is on the server's clock. Unless all is over, those
  /// that a page may still be finishing are left for later.
  mutating func leftOver(at now: BridgeInstant, isOver: Bool) -> [(id: String, cause: Int?)] {
    let found = entries.filter { isOver || $1.toldAt.duration(to: now) >= Self.grace }.sorted { $0.key < $1.key }
    for (id, _) in found { entries[id] = nil }
    return found.map { ($0.key, $0.value.cause) }
  }
}
