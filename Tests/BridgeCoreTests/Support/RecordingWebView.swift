import BridgeCore
import BridgeRuntime

/// A web view that keeps what it is given.
@BridgeActor
final class RecordingWebView: WebView {
  private(set) var messages: [BridgeMessage] = []
  private var waiters: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []

  override func deliver(_ message: BridgeMessage, sequenced: Bool) {
    messages.append(message)
    for waiter in waiters where messages.count >= waiter.count { waiter.continuation.resume() }
    waiters.removeAll { messages.count >= $0.count }
  }

  /// Waits until `count` messages were delivered.
  func delivered(_ count: Int) async {
    if messages.count >= count { return }
    await withCheckedContinuation { waiters.append((count, $0)) }
  }
}
