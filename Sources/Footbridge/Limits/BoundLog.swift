import BridgeRuntime
import Logging
import WebServer

/// Says in the log which bounds are reached, however often, in a few lines.
@BridgeActor
final class BoundLog {
  private let logger: Logger
  private let clock: any BridgeClock
  private var lines = RateLimitedLines(interval: .seconds(10))

  init(logger: Logger, clock: any BridgeClock) {
    self.logger = logger
    self.clock = clock
  }

  /// A peer has reached a bound; `text` is one sentence without anything of the peer's.
  func note(_ text: String, level: Logger.Level = .warning) {
    guard let count = lines.count(text, at: clock.now) else { return }
    logger.log(level: level, "\(text)", metadata: count > 1 ? ["times": "\(count)"] : [:])
  }
}
