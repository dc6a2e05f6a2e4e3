package import BridgeRuntime

/// The served documents of a session whose pages have not said hello yet.
///
/// A browser reports that a document has loaded before the socket of its page is open. If a test then calls the control API, it means this
/// page. So the call waits for the page, but not long, since some documents never open a socket.
@BridgeActor
package final class DocumentArrivals {
  private let timeout: Duration
  /// In the order in which they were served, each with its number.
  private var expected: [(number: Int, document: ServedDocument)] = []
  private var servedCount = 0
  /// Those who wait, each with the number of the latest document at the time.
  private var waiting: [(number: Int, continuation: CheckedContinuation<Void, Never>)] = []
  /// Called when no page is expected any more.
  var onEmpty: (() -> Void)?

  /// Creates an empty list. `timeout` is the maximum time to wait for the page of a document.
  init(timeout: Duration = .seconds(1)) {
    self.timeout = timeout
  }

  /// Expects the page of a document that was served.
  package func served(_ document: ServedDocument) {
    servedCount += 1
    expected.append((servedCount, document))
    Task { [timeout, weak self] in
      try? await Task.sleep(for: timeout)
      self?.arrived(document)
    }
  }

  /// Ends the wait for the page of a document: it has said hello, or the time is over.
  func arrived(_ document: ServedDocument) {
    // Do not compare the frame, which may have been unknown when the document was served.
    let index = expected.firstIndex { $0.document.origin == document.origin && $0.document.target == document.target }
    guard let index else { return }
    expected.remove(at: index)
    let oldest = expected.first?.number ?? .max
    let settled = waiting.filter { $0.number < oldest }
    waiting.removeAll { $0.number < oldest }
    for waiter in settled { waiter.continuation.resume() }
    if expected.isEmpty { onEmpty?() }
  }

  /// Waits for the pages that are expected now, but not for those of later documents: a page may load itself again and again.
  package func settled() async {
    if expected.isEmpty { return }
    await withCheckedContinuation { waiting.append((servedCount, $0)) }
  }
}
