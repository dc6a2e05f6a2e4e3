import BridgeRuntime
import Delivery

/// Urgent calls: a script of the page is blocked until the answer comes, as in `prompt`.
extension Session {
  /// The maximum time that a page waits for the answer.
  package static let urgentTimeout = Duration.seconds(5)

  /// Whether the page with this id is open.
  package func hasOpen(shimID: String) -> Bool { sessionPages.open(shimID: shimID) != nil }

  /// Handles an urgent call, which comes in an HTTP request.
  ///
  /// The page may have no socket yet, since it can call while its document is being parsed.
  ///
  /// - Parameter body: The call, after the earlier calls of the page.
  /// - Returns: The answer in the form of the socket; nil if there is none in time.
  package func answer(
    toUrgent correlationID: String, _ body: [UInt8], fromPage shimID: String, _ document: ServedDocument?
  ) async -> [UInt8]? {
    if isStopping { return nil }
    let page: Page
    if let known = sessionPages.open(shimID: shimID) {
      page = known
    } else {
      page = takeIn(shimID, PageDocument(document), isLeaving: false)
      expectBack(page)
    }
    let call = CallID(correlationID)
    let timeout = Task { [weak self, weak page] in
      do { try await Task.sleep(for: Self.urgentTimeout) } catch { return }
      guard let self, let page else { return }
      let reason = "A script of the page waits for this answer, and it did not come within \(Self.urgentTimeout)."
      journal.append(.decision, page: page.id, action: "refused", correlationId: correlationID, note: reason)
      pageLog.note("\(page.id): \(reason) A rule, a delay or a handler holds it.")
      page.link.giveUp(urgent: call)
    }
    defer { timeout.cancel() }
    return await withCheckedContinuation { continuation in
      page.link.await(urgent: call) { continuation.resume(returning: $0) }
      page.received(urgent: body)
    }
  }
}
