extension Session {
  /// Whether a page is about to have an answer: somebody works on a call of it, or what answers it is being kept. What waits for a person, or
  /// for a gate or a delay, does not count: that goes on when the server is started again.
  package var isAnswering: Bool {
    if state.isUnkept { return true }
    guard sheets.open.isEmpty, !rules.isHolding else { return false }
    return pages.contains { $0.connection != nil && $0.openCalls.isAnyUnderWay }
  }
}
