package import BridgeRuntime

/// Someone who reads a journal as it is written; letting go of it ends that.
@BridgeActor
package final class JournalObserver {
  private let stop: @BridgeActor () -> Void

  init(_ stop: @escaping @BridgeActor () -> Void) {
    self.stop = stop
  }

  /// Ends it at once.
  package func cancel() {
    stop()
  }

  deinit {
    Task { @BridgeActor [stop] in stop() }
  }
}
