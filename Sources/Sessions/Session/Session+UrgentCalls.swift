import BridgeRuntime

/// Calls of pages that cannot go on without the answer: what their scripts see as synchronous, such as `prompt`.
extension Session {
  /// How long a page may be kept waiting.
  package static let urgentPatience = Duration.seconds(5)

  /// A page waits for the answer to a call. `body` has the call, and the calls that the page has made before it.
  ///
  /// The page may have no socket yet: it asks while its document is being read.
  ///
  /// - Returns: The answer as the socket would carry it; nil when there is none in time.
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
    let patience = Task { [weak self, weak page] in
      do { try await Task.sleep(for: Self.urgentPatience) } catch { return }
      guard let self, let page else { return }
      let reason = "A script of the page waits for this answer, and it did not come within \(Self.urgentPatience)."
      journal.append(.decision, page: page.id, action: "refused", correlationId: correlationID, note: reason)
      pageLog.note("\(page.id): \(reason) A rule, a delay or a handler holds it.")
      page.giveUp(urgent: call)
    }
    defer { patience.cancel() }
    return await withCheckedContinuation { continuation in
      page.awaitAnswer(toUrgent: call) { continuation.resume(returning: $0) }
      page.received(urgent: body)
    }
  }
}
