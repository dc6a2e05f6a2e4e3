package import BridgeRuntime
package import Logging
import WebServer

/// Logs which limits are reached. It writes few lines, however often that happens.
@BridgeActor
package final class BoundLog {
  private let logger: Logger
  private let clock: any BridgeClock
  /// How often bounds were reached.
  package private(set) var count = 0
  private var lines = RateLimitedLines(interval: .seconds(10))

  package init(logger: Logger, clock: any BridgeClock) {
    self.logger = logger
    self.clock = clock
  }

  /// Logs that a peer has reached a limit. `text` is one sentence with nothing from the peer.
  package func note(_ text: String, level: Logger.Level = .warning) {
    self.count += 1
    guard let count = lines.count(text, at: clock.now) else { return }
    logger.log(level: level, "\(text)", metadata: count > 1 ? ["times": "\(count)"] : [:])
  }
}
