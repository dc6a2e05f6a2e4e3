import BridgeCore
import BridgeRuntime
import OnsideKit
import Sessions

/// Applies the linter's rules for `window.onside` to one launch of a session.
@BridgeActor
final class OnsideLint {
  private let context: SessionContext
  private let configuration: Shared<OnsideConfiguration>
  let serverClock: any BridgeClock
  private weak var onside: Onside?
  private var unfinished = UnfinishedTransactions()
  private var timer: Task<Void, Never>?
  /// The effects of tests' rules in this launch.
  private var ruleExcuses = RuleExcuses()
  /// The rejected calls of each page.
  private var rejected: [String: RejectedCalls] = [:]
  /// The countries for which products were loaded.
  private(set) var prices = LoadedPrices()
  /// The pages that are open and have used `window.onside`.
  private var pages: [OnsidePage] = []
  /// Whether a page has come since the launch.
  private var hasHadPage = false

  /// The unknown products that were already noted.
  private var unknownProducts = FirstTimes()

  init(_ context: SessionContext, configuration: Shared<OnsideConfiguration>, serverClock: any BridgeClock) {
    self.context = context
    self.configuration = configuration
    self.serverClock = serverClock
  }

  /// Begins with the launch's OnsideKit.
  func begin(_ onside: Onside) {
    self.onside = onside
    context.launch.lint.onDecision = { [weak self] in self?.ruleDecided($0, about: $1, $2()) }
  }

  /// Reports a finding.
  func report(_ rule: String, page: String? = nil, call: Int? = nil, _ about: String) {
    context.report(LintFinding(rule, page: page, call: call, about))
  }

  // MARK: Rules of tests

  private func ruleDecided(_ outcome: Outcome, about subject: SessionRules.Subject, _ data: JSONValue) {
    ruleExcuses.decided(subject.action, data)
    if let page = subject.pageID, case .response(.error, _, let error?) = outcome.answer {
      rejected[page, default: RejectedCalls()].rejected(nil, code: error.code)
    }
  }

  /// Notes that a setting of the session makes a call fail. As with a rule, the consequences are not the page's mistakes, also if the setting
  /// holds for one call.
  func settingFails(_ call: OnsideCall, _ data: [String: JSONValue]) {
    ruleExcuses.decided(call.action, .object(data))
  }

  /// Whether a rule of a test, or a setting of the session, has decided calls of this function.
  func isDecided(_ call: OnsideCall) -> Bool { context.isDecided(call.action) || fails(call) }

  /// Whether a setting of the session makes all calls of this function fail.
  func fails(_ call: OnsideCall) -> Bool { onside.map { $0.settings[call].error != nil } ?? true }

  /// Whether a rule of a test has decided a callback.
  func isDecided(_ callback: OnsideCallback) -> Bool { context.isDecided(callback.action) }

  // MARK: Pages

  /// Notes that a page opens. Returns whether it was loaded again while transactions are in the queue.
  func opened() -> Bool {
    defer { hasHadPage = true }
    return hasHadPage && onside.map { !$0.state.transactions.isEmpty } ?? false
  }

  /// Notes that a page uses `window.onside` for the first time. From now on, the page must finish the transactions that the launch has
  /// delivered before.
  func begins(_ page: OnsidePage) {
    pages.append(page)
    for entry in onside?.state.transactions ?? [] where entry.isLeftUnfinished { ended(entry.transaction.id.text) }
    watch()
  }

  /// Notes that a page has ended.
  func ended(_ page: OnsidePage) {
    pages.removeAll { $0 === page }
    rejected[page.id] = nil
  }

  /// Whether another open page uses `window.onside`. It may have the handlers that this one lacks.
  func hasOther(than page: OnsidePage) -> Bool { pages.contains { $0 !== page } }

  // MARK: Products

  /// Notes that a page loads products.
  func loads(_ products: [String], _ page: any BridgePage) {
    guard let onside else { return }
    prices.loaded(products, in: onside.priceCountryCode)
    ruleExcuses.loaded(products)
    noteUnknown(products, "loadProducts", page)
  }

  /// Says once of each product, in the log and the page's console, that the catalogue does not have it. The page learns only that its
  /// identifier is invalid. `call` is what has asked for the products.
  func noteUnknown(_ products: [String], _ call: String, _ page: (any BridgePage)? = nil) {
    let catalogue = configuration.wrappedValue.catalogue
    for product in products {
      guard let text = catalogue.problem(with: product),
        unknownProducts.isFirst(catalogue.products.isEmpty ? "" : product)
      else { continue }
      context.log("\(call): \(text)")
      page?.tellDeveloper("\(call): \(text)")
    }
  }

  /// Checks a purchase (L04, L18).
  func buys(_ product: String, page: String) {
    guard let onside, !fails(.loadProducts), !fails(.purchase), !ruleExcuses.excuses(product: product) else { return }
    if !onside.hasLoaded(product: product) {
      return report("L04", page: page, "purchase of \(product), which loadProducts has not returned in this launch.")
    }
    guard let present = onside.account?.countryCode, let loaded = prices[product], loaded != present,
      !isDecided(.onStorefrontChanged)
    else { return }
    report(
      "L18", page: page, "purchase of \(product), which was loaded for \(loaded); the storefront is \(present) now.")
  }

  /// Whether products were loaded with the prices of another country than the present one.
  var hasOtherPrices: Bool { onside.map { prices.hasOther(than: $0.priceCountryCode) } ?? false }

  /// Checks a call that finishes a transaction (L05, L06).
  func finishes(_ id: String, page: String) {
    guard let onside else { return }
    let queue = onside.state.transactions.lazy.map(\.transaction)
    let isKnown = queue.contains { $0.id.text == id }
    if let mistake = OnsideMistakes.finishing(
      id, queue: queue,
      isKnownOrder: !isKnown && onside.state.ledger.purchases.contains { $0.id == id.lowercased() })
    {
      report(mistake.rule, page: page, mistake.about)
    }
  }

  // MARK: Rejected calls

  /// Notes that a call of a page was rejected. `call` is nil if a setting of the session has rejected it.
  func rejects(_ call: RejectedCalls.Call?, of page: String, code: String) {
    rejected[page, default: RejectedCalls()].rejected(call, code: code)
  }

  /// Returns the call to which an uncaught error with this code belongs; nil if the host has rejected no call with it.
  func uncaught(code: String, by page: String) -> RejectedCalls.Call? { rejected[page]?.uncaught(code: code) }

  // MARK: Transactions

  /// Notes a change of the queue.
  func queueChanged(_ changes: RowChanges<QueuedTransaction>) {
    for (_, entry) in changes.written {
      let id = entry.transaction.id.text
      if !entry.isLeftUnfinished {
        unfinished.finished(id)
      } else if !pages.isEmpty {
        ended(id)
      }
    }
    for id in changes.removed { unfinished.finished(id) }
    watch()
  }

  private func ended(_ id: String) {
    unfinished.ended(id, at: context.clock.now, toldAt: serverClock.now, cause: Journal.cause)
  }

  private func watch() {
    guard timer == nil, let deadline = unfinished.nextDeadline, context.isLinted("L01") else { return }
    timer = Task { [weak self, clock = context.clock] in
      do { try await clock.sleep(until: deadline) } catch { return }
      self?.timerFired()
    }
  }

  private func timerFired() {
    timer = nil
    for (id, cause) in unfinished.overdue(at: context.clock.now) where isBlamed(for: id) {
      context.report(
        LintFinding(
          "L01", severity: .warning, call: cause,
          "The transaction \(name(id)) ended 30 seconds ago and is not finished."))
    }
    watch()
  }

  /// Whether an unfinished transaction is the pages' mistake, and not the effect of a setting or of a test's rule.
  private func isBlamed(for id: String) -> Bool { !isHindered && !ruleExcuses.excuses(transaction: id) }

  /// Whether a setting or a waiting rule prevents pages from finishing transactions.
  private var isHindered: Bool {
    fails(.finishTransaction) || context.isHeld(OnsideCall.finishTransaction.action)
      || context.isHeld(OnsideCallback.onTransactionsUpdated.action)
  }

  private func name(_ id: String) -> String {
    let entry = onside?.state.transactions.last { $0.transaction.id.text == id }
    return "\(id)\(entry.map { " of \($0.transaction.payment.product.productIdentifier)" } ?? "")"
  }

  // MARK: Ends

  /// Whether a transaction has ended that pages may still finish, or a rejection waits that they may still catch.
  var isPending: Bool {
    (unfinished.ids.contains { isBlamed(for: $0) } && context.isLinted("L01")) || pages.contains(where: \.mayStillCatch)
  }

  /// Reports what is known only at the end of a test, of the app or of the session.
  func conclude(isOver: Bool) {
    for page in pages { page.concludeLint(isOver: isOver) }
    for (id, cause) in unfinished.leftOver(at: serverClock.now, isOver: isOver) where isBlamed(for: id) {
      report("L01", call: cause, "The transaction \(name(id)) was never finished.")
    }
  }

  /// Stops, since the launch ends.
  func end() {
    timer?.cancel()
    timer = nil
    pages = []
  }
}
