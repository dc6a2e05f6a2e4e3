package import BridgeRuntime
package import Logging
import Sessions

/// The log of a handler. A handler that fails again and again causes few lines.
@BridgeActor
package final class HandlerLog {
  private let logger: Logger
  private let clock: any BridgeClock
  private let bridge: String
  private var warnings = LineFlood(limit: 20)
  private var notes = LineFlood(limit: 200)

  /// Creates the log of the handler of a bridge. `clock` is the server's.
  package init(bridge: String, logger: Logger, clock: any BridgeClock) {
    (self.bridge, self.logger, self.clock) = (bridge, logger, clock)
  }

  /// Logs a warning. `text` is a sentence that contains nothing from the handler. Returns false if the line is left out.
  func warn(_ text: String) -> Bool { write(text, .warning, &warnings) }

  /// Logs a usual event, such as that a handler has connected.
  package func note(_ text: String) { logger.notice("\(text)") }

  /// Logs a line that the handler has written for people. One that writes down what it was told does not put tokens into the log.
  package func said(_ line: [UInt8]) {
    let text = SessionToken.removed(from: String(decoding: line, as: UTF8.self))
    _ = write("handler of \(bridge): \(PageLog.line(text))", .notice, &notes)
  }

  private func write(_ text: String, _ level: Logger.Level, _ flood: inout LineFlood) -> Bool {
    switch flood.next(at: clock.now) {
    case .write:
      logger.log(level: level, "\(text)")
      return true
    case .writeLast:
      logger.warning(
        "The handler of the bridge \(bridge) causes too many lines. The log omits the rest for \(LineFlood.interval).")
      return false
    case .omit: return false
    }
  }
}
