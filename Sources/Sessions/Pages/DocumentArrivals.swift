package import BridgeRuntime

/// The documents of a session that were served and whose pages have not said hello yet.
///
/// A browser says that a document has loaded before its page's socket is open. Who drives the session from outside means that page, too:
/// their calls wait for it. Not for long, since of some documents no page comes.
@BridgeActor
package final class DocumentArrivals {
  private let patience: Duration
  private var expected: [ServedDocument] = []
  private var waiting: [CheckedContinuation<Void, Never>] = []

  /// Nothing is expected. `patience` is how long a document's page is waited for.
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

  /// The page of a document has said hello, or is waited for no longer.
  func arrived(_ document: ServedDocument) {
    // In which frame it is may be known only now.
    let index = expected.firstIndex { $0.origin == document.origin && $0.target == document.target }
    guard let index else { return }
    expected.remove(at: index)
    guard expected.isEmpty else { return }
    let waiting = waiting
    self.waiting = []
    for continuation in waiting { continuation.resume() }
  }

  /// Returns once no page is expected any more.
  package func settled() async {
    if expected.isEmpty { return }
    await withCheckedContinuation { waiting.append($0) }
  }
}
