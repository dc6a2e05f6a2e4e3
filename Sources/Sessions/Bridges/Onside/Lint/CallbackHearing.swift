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
