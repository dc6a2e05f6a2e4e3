import BridgeRuntime
import Logging

/// Says in the log what the pages of a session do that a device passes over in silence: their developer is told.
///
/// Pages have a part in these texts, and in how many there are. So each is one line of a bounded length, and a flood is a few lines.
@BridgeActor
final class PageLog {
  /// How many lines there are in ``interval`` at most.
  static let lineLimit = 20
  /// After how long there may be as many lines again.
  static let interval = Duration.seconds(10)
  /// How many characters of a text are written.
  static let textLimit = 500

  private let session: String
  private let logger: Logger
  private let clock: any BridgeClock
  private var start: BridgeInstant
  private var lineCount = 0

  /// The log of the session with this id. `clock` is the server's.
  init(session: String, logger: Logger, clock: any BridgeClock) {
    self.session = session
    self.logger = logger
    self.clock = clock
    start = clock.now
  }

  /// A page has done something; `text` may have anything of the page's in it.
  func note(_ text: @autoclosure () -> String) {
    let now = clock.now
    if start.duration(to: now) >= Self.interval {
      start = now
      lineCount = 0
    }
    lineCount += 1
    if lineCount <= Self.lineLimit {
      logger.warning("\(Self.line(text()))")
    } else if lineCount == Self.lineLimit + 1 {
      logger.warning(
        "Pages of session \(session) give rise to many lines. What more there are of them in \(Self.interval) is left out."
      )
    }
  }

  /// A text on one line: what would end it, or change how a terminal shows it, is escaped.
  static func line(_ text: String) -> String {
    var line = ""
    var count = 0
    for scalar in text.unicodeScalars {
      guard count < textLimit else { return line + "…" }
      count += 1
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned:
        line += scalar.escaped(asASCII: true)
      default: line.unicodeScalars.append(scalar)
      }
    }
    return line
  }
}
