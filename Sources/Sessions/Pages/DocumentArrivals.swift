package import BridgeRuntime

/// The served documents of a session whose pages have not said hello yet.
///
/// A browser reports that a document has loaded before the socket of its page is open. If a test then calls the control API, it means this
/// page. So the call waits for the page, but not long, since some documents never open a socket.
@BridgeActor
package final class DocumentArrivals {
  private let patience: Duration
  private var expected: [ServedDocument] = []
  private var waiting: [CheckedContinuation<Void, Never>] = []

  /// Creates an empty list. `patience` is the maximum time to wait for the page of a document.
  init(patience: Duration = .seconds(1)) {
    self.patience = patience
  }

  /// Expects the page of a document that was served.
  package func served(_ document: ServedDocument) {
    expected.append(document)
    Task { [patience, weak self] in
      try? await Task.sleep(for: patience)
      self?.arrived(document)
    }
  }

  /// Ends the wait for the page of a document: it has said hello, or the time is over.
  func arrived(_ document: ServedDocument) {
    // Do not compare the frame, which may have been unknown when the document was served.
    let index = expected.firstIndex { $0.origin == document.origin && $0.target == document.target }
    guard let index else { return }
    expected.remove(at: index)
    guard expected.isEmpty else { return }
    let waiting = waiting
    self.waiting = []
    for continuation in waiting { continuation.resume() }
  }

  /// Waits until no page is expected.
  package func settled() async {
    if expected.isEmpty { return }
    await withCheckedContinuation { waiting.append($0) }
  }
}
