package import BridgeRuntime

/// A reader that follows a journal. It ends when it is released.
@BridgeActor
package final class JournalObserver {
  private let stop: @BridgeActor () -> Void

  init(_ stop: @escaping @BridgeActor () -> Void) {
    self.stop = stop
  }

  /// Ends it now.
  package func cancel() {
    stop()
  }

  deinit {
    Task { @BridgeActor [stop] in stop() }
  }
}
