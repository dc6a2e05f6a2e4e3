extension Session {
  /// Whether a page is about to get an answer: one of its calls is being handled, or its answer is being stored. A call that waits for a
  /// person, a gate or a delay does not count: it goes on after the server's restart.
  package var isAnswering: Bool {
    if state.isUnkept { return true }
    guard sheets.open.isEmpty, !rules.isHolding else { return false }
    return pages.contains { $0.connection != nil && $0.openCalls.isAnyUnderWay }
  }
}
