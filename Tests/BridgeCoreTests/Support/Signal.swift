/// Something that happens once, perhaps with a value, and that a test waits for.
struct Signal<Value: Sendable>: Sendable {
  private let stream: AsyncStream<Value>
  private let continuation: AsyncStream<Value>.Continuation

  init(of type: Value.Type = Void.self) {
    (stream, continuation) = AsyncStream.makeStream()
  }

  /// It happens.
  func fire(_ value: Value) {
    continuation.yield(value)
  }

  /// Waits until it has happened; nil when the test was cancelled.
  @discardableResult
  func wait() async -> Value? {
    for await value in stream { return value }
    return nil
  }
}

extension Signal<Void> {
  /// It happens.
  func fire() {
    fire(())
  }
}
