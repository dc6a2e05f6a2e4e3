import BridgeRuntime

/// What is counted of all sessions while they run: plain integers, on the loop's thread.
package final class SessionMetrics {
  /// How many messages have come from pages.
  package var receivedMessages = 0
  /// How many messages were sent to pages.
  package var sentMessages = 0
  /// How long calls of pages have waited for their answer.
  package private(set) var callDurations = Histogram()
  /// How long the store has taken to keep changes that were written together.
  package var writeDurations = Histogram()
  /// How many changes the store has not kept.
  package var failedChanges = 0

  /// Of the calls that are answered while they are handled, which are nearly all, one in so many is timed, and counts for as many: to look at
  /// the clock takes longer than all else that is counted.
  private static let timedOf = 64
  private var callCount = 0

  /// Nothing has happened yet.
  package init() {}

  /// A call begins. Returns when, in nanoseconds of the monotonic clock; 0 if it is timed only from the end of its handling on.
  func callBegins() -> Int {
    callCount &+= 1
    return callCount % Self.timedOf == 0 ? MonotonicTime.nanoseconds : 0
  }

  /// A call that has begun at `start` was answered while it was handled.
  func callWasAnsweredAtOnce(_ start: Int) {
    if start != 0 { callDurations.count(MonotonicTime.nanoseconds - start, times: Self.timedOf) }
  }

  /// A call that has begun at `start` was answered later.
  func callWasAnswered(_ start: Int) {
    callDurations.count(MonotonicTime.nanoseconds - start)
  }
}

/// How much there is of everything in all sessions at one moment.
package struct SessionFigures {
  /// How many sessions are running.
  package var sessions = 0
  /// How many pages there are, …
  package var pages = 0
  /// … and how many of them are connected.
  package var connectedPages = 0
  /// How many calls of pages have no answer yet.
  package var openCalls = 0
  /// How many sheets wait for an answer.
  package var openSheets = 0
  /// How many calls, flows and sheets wait at gates.
  package var holds = 0
  /// How many bytes the journals of all sessions hold, about, …
  package var journalBytes = 0
  /// … and how many they may hold.
  package var journalByteLimit = 0
  /// How many sessions have changes that wait for the store, or are being written; nil without a store.
  package var storeQueue: Int?
}

extension SessionRegistry {
  /// How much there is at present.
  package var figures: SessionFigures {
    var figures = SessionFigures()
    for session in sessionByKey.values {
      figures.sessions += 1
      figures.openSheets += session.sheets.open.count
      figures.holds += session.rules.holds.count
      for page in session.pages {
        figures.pages += 1
        figures.connectedPages += page.connection == nil ? 0 : 1
        figures.openCalls += page.openCalls.count
      }
    }
    figures.journalBytes = journalSpace.byteCount
    figures.journalByteLimit = options.limits.journalBytes
    figures.storeQueue = writer?.queueCount
    return figures
  }
}

/// How often something has taken how long, in fixed buckets. To count allocates nothing.
package struct Histogram {
  /// The longest time of each bucket but the last one, in nanoseconds, and how it is written in seconds.
  package static let bounds: [(nanoseconds: Int, seconds: String)] = [
    (100_000, "0.0001"), (250_000, "0.00025"), (500_000, "0.0005"), (1_000_000, "0.001"), (2_500_000, "0.0025"),
    (5_000_000, "0.005"), (10_000_000, "0.01"), (25_000_000, "0.025"), (50_000_000, "0.05"), (100_000_000, "0.1"),
    (250_000_000, "0.25"), (500_000_000, "0.5"), (1_000_000_000, "1"), (2_500_000_000, "2.5"), (5_000_000_000, "5"),
    (10_000_000_000, "10"), (30_000_000_000, "30"), (60_000_000_000, "60"), (300_000_000_000, "300"),
  ]

  /// How often it was within each bucket's bounds, and at last above all of them.
  package private(set) var counts = [Int](repeating: 0, count: bounds.count + 1)
  /// All times together, in nanoseconds. Wraps around after 292 years.
  package private(set) var sum = 0

  /// Creates an empty histogram.
  package init() {}

  /// Something has taken so long, so many times.
  package mutating func count(_ nanoseconds: Int, times: Int = 1) {
    var index = 0
    while index < Self.bounds.count, nanoseconds > Self.bounds[index].nanoseconds { index += 1 }
    counts[index] += times
    sum &+= nanoseconds &* times
  }
}
