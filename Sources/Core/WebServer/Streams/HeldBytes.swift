import BridgeRuntime

/// Counts the bytes that the connections of a server hold: received ones that nobody has read yet, and ones that wait to
/// be sent. Each connection has limits of its own; this is what all hold together.
@BridgeActor
final class HeldBytes {
  /// How many bytes are held.
  private(set) var count = 0
  private let limit: Int
  private let exceeded: () -> Void
  /// Whether `exceeded` is about to be called.
  private var isExceeded = false

  /// Creates the count. Above the limit, calls `exceeded` in a job of its own, since the connection that reported the
  /// bytes may be in the middle of something.
  init(limit: Int, exceeded: @escaping () -> Void) {
    self.limit = limit
    self.exceeded = exceeded
  }

  /// A connection holds `change` more bytes, or fewer.
  func change(by change: Int) {
    count += change
    guard count > limit, change > 0, !isExceeded else { return }
    isExceeded = true
    Task { @BridgeActor in
      isExceeded = false
      if count > limit { exceeded() }
    }
  }
}

/// A connection that holds bytes.
@BridgeActor
protocol ByteHolder: AnyObject {
  /// How many bytes it holds; 0 once it is closing.
  var heldByteCount: Int { get }
  /// Frees them. The connection or a part of it ends.
  func release()
}
