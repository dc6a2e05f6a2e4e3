package import BridgeRuntime
package import Logging
package import WebServer

/// Makes pages reload when files of the site change (`--watch`).
@BridgeActor
package final class LiveReload {
  /// The time to wait for more changes: a build writes many files, and editors write a file in several steps.
  static let quietTime = Duration.milliseconds(100)

  private let clock: any BridgeClock
  private let logger: Logger
  private let reload: () async -> Void
  private var changeCount = 0
  private var isWaiting = false

  /// Creates a live reload. It calls `reload` once for all changes that come close together.
  package init(clock: any BridgeClock, logger: Logger, reload: @escaping @BridgeActor () async -> Void) {
    self.clock = clock
    self.logger = logger
    self.reload = reload
  }

  /// Receives an event of the folder.
  package func received(_ event: FolderEvent) {
    switch event {
    case .incomplete(let reason):
      logger.warning("A part of the root folder cannot be watched: \(reason). Changes there do not reload pages.")
    case .changed(let path):
      logger.debug("changed", metadata: ["path": "/\(path)"])
      changeCount += 1
      guard !isWaiting else { return }
      isWaiting = true
      Task { await waitForQuiet() }
    }
  }

  private func waitForQuiet() async {
    var seen: Int
    repeat {
      seen = changeCount
      try? await clock.sleep(for: Self.quietTime)
    } while seen != changeCount
    isWaiting = false
    await reload()
  }
}
