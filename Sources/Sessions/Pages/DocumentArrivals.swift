package import BridgeRuntime

/// The served documents of a session whose pages have not said hello yet.
///
/// A browser reports that a document has loaded before its page's socket is open. A test that calls the control API then means this page,
/// so its calls wait for the page. They do not wait long, since some documents never have one.
@BridgeActor
package final class DocumentArrivals {
  private let patience: Duration
  private var expected: [ServedDocument] = []
  private var waiting: [CheckedContinuation<Void, Never>] = []

  /// Expects nothing yet. `patience` is how long to wait for a document's page.
  init(patience: Duration = .seconds(1)) {
    self.patience = patience
  }

  /// A document was served.
  package func served(_ document: ServedDocument) {
    expected.append(document)
    Task { [patience, weak self] in
      try? await Task.sleep(for: patience)
      self?.arrived(document)
    }
  }

  /// The page of a document has said hello, or the wait for it is over.
  func arrived(_ document: ServedDocument) {
    // Its frame may only be known now.
    let index = expected.firstIndex { $0.origin == document.origin && $0.target == document.target }
    guard let index else { return }
    expected.remove(at: index)
    guard expected.isEmpty else { return }
    let waiting = waiting
    self.waiting = []
    for continuation in waiting { continuation.resume() }
  }

  /// Returns when no page is expected any more.
  package func settled() async {
    if expected.isEmpty { return }
    await withCheckedContinuation { waiting.append($0) }
  }
}
