/// The requests of the host that a page has answered last.
///
/// On a new connection, and as its page leaves, a shim sends its last answers again: they may have been lost with the connection.
struct AnsweredRequests {
  /// A shim repeats 32 answers, and those that it has not sent yet.
  private static let limit = 64

  /// Their correlation ids, oldest first.
  private var ids: [String] = []

  /// Notes an answer.
  ///
  /// - Returns: Whether it is the first one to this request.
  mutating func insert(_ correlationID: String) -> Bool {
    if ids.contains(correlationID) { return false }
    if ids.count == Self.limit { ids.removeFirst() }
    ids.append(correlationID)
    return true
  }
}
