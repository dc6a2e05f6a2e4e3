package import BridgeRuntime
package import Logging
import WebServer

/// Logs errors of a session's pages that a device would ignore silently, so that their developer learns of them.
///
/// Pages can influence the texts and their number. So each text becomes one line of limited length, and a flood becomes a few lines.
@BridgeActor
package final class PageLog {
  /// The largest number of lines in the interval of a ``LineFlood``.
  static let lineLimit = 20
  /// The maximum number of characters of a text in the log.
  nonisolated static let textLimit = 500

  /// The id of the session.
  nonisolated let session: String
  private let logger: Logger
  private let clock: any BridgeClock
  private var flood = LineFlood(limit: lineLimit)

  /// Creates the log of the session with this id. `clock` is the server's.
  init(session: String, logger: Logger, clock: any BridgeClock) {
    self.session = session
    self.logger = logger
    self.clock = clock
  }

  /// Logs what a page has done. `text` may contain anything from the page.
  func note(_ text: @autoclosure () -> String) {
    switch flood.next(at: clock.now) {
    case .write: logger.warning("\(Self.line(text()))")
    case .writeLast:
      logger.warning(
        "The pages of session \(session) cause too many lines. The log omits the rest for \(LineFlood.interval)."
      )
    case .omit: break
    }
  }

  /// Logs that the first page of a launch has come. `url` may contain anything from a page.
  func noteFirstPage(_ url: String?) {
    logger.info("The first page of session \(session) is here\(url.map { ": \(Self.line($0))" } ?? ".")")
  }

  /// The text as one line. Escapes line breaks, and whatever would change how a terminal shows the line.
  package nonisolated static func line(_ text: String) -> String {
    var line = ""
    var count = 0
    for scalar in text.unicodeScalars {
      guard count < textLimit else { return line + "…" }
      count += 1
      if scalar.isHidden { line += scalar.escaped(asASCII: true) } else { line.unicodeScalars.append(scalar) }
    }
    return line
  }
}

extension String {
  /// The text as one line for a log or a terminal: see ``PageLog/line(_:)``.
  package var asLine: String { PageLog.line(self) }
}

/// Limits how many lines something can cause in a log.
package struct LineFlood {
  /// What becomes of a line.
  package enum Verdict {
    /// It is written.
    case write
    /// It is the first of too many. A line that says so takes its place.
    case writeLast
    /// It is left out.
    case omit
  }

  /// The time after which the limit starts again.
  package static let interval = Duration.seconds(10)
  /// The largest number of lines in ``interval``.
  let limit: Int
  private var start: BridgeInstant?
  private var count = 0

  package init(limit: Int) { self.limit = limit }

  /// What becomes of the next line.
  package mutating func next(at now: BridgeInstant) -> Verdict {
    if start.map({ $0.duration(to: now) >= Self.interval }) ?? true {
      start = now
      count = 0
    }
    count += 1
    return count <= limit ? .write : count == limit + 1 ? .writeLast : .omit
  }
}

/// Limits lines of a log that repeat: writes the first one, then at most one in each interval, with the number of times.
struct RateLimitedLines {
  private struct Entry {
    var lastLine: BridgeInstant
    var unwritten = 0
  }

  /// The shortest time between two lines of the same text, in milliseconds.
  private let interval: Double
  private var entries: [String: Entry] = [:]

  init(interval: Duration) {
    self.interval = interval.milliseconds
  }

  /// Counts an event that `text` describes. There are only a few such texts.
  ///
  /// - Returns: Nil to write no line; otherwise the number of events since the last line.
  mutating func count(_ text: String, at now: BridgeInstant) -> Int? {
    guard var entry = entries[text] else {
      entries[text] = Entry(lastLine: now)
      return 1
    }
    entry.unwritten += 1
    defer { entries[text] = entry }
    guard now.millisecondsSinceEpoch - entry.lastLine.millisecondsSinceEpoch >= interval else { return nil }
    let count = entry.unwritten
    entry = Entry(lastLine: now)
    return count
  }
}

/// Logs which limits are reached. It writes few lines, however often that happens.
@BridgeActor
package final class LimitLog {
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

extension String {
  /// The text with its hidden characters replaced by what `escape` makes of them.
  package func escapingHidden(_ escape: (Unicode.Scalar) -> String) -> String {
    var text = ""
    for scalar in unicodeScalars {
      if scalar.isHidden { text += escape(scalar) } else { text.unicodeScalars.append(scalar) }
    }
    return text
  }
}

extension Unicode.Scalar {
  /// Whether a reader may not see the character, or something may take it for a command.
  package var isHidden: Bool {
    switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: true
    default: false
    }
  }
}
