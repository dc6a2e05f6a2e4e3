/// The requests of the host that a page has answered last.
///
/// On a new connection, and as its page leaves, a shim sends its last answers again: they may have been lost with the connection.
struct AnsweredRequests {
  /// A shim repeats 32 answers, and those that it had no connection for.
  private static let limit = 256

  /// Their correlation ids, oldest first.
  private var ids: [CallID] = []

  /// Notes an answer.
  ///
  /// - Returns: Whether it is the first one to this request.
  mutating func insert(_ id: CallID) -> Bool {
    if ids.contains(id) { return false }
    if ids.count == Self.limit { ids.removeFirst() }
    ids.append(id)
    return true
  }
}
