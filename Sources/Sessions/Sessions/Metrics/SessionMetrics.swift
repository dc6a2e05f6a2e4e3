import BridgeRuntime
import Delivery

/// Counts what happens in all sessions while they run. Plain integers, for the loop's thread only.
package final class SessionMetrics {
  /// How many messages have come from pages.
  package var receivedMessages = 0
  /// How many messages were sent to pages.
  package var sentMessages = 0
  /// How long calls of pages have waited for their answer.
  package private(set) var callDurations = Histogram()
  /// How long the store has taken for each batch of changes.
  package var writeDurations = Histogram()
  /// How many changes could not be stored.
  package var failedChanges = 0

  /// Nearly all calls are answered while they are handled. One in so many of them is timed, and counts for as many: reading the clock takes
  /// longer than all other counting.
  private static let timedOf = 64
  private var callCount = 0

  /// Creates counters at zero.
  package init() {}

  /// A call begins. Returns the time of the monotonic clock, in nanoseconds, or 0: such a call is timed only if it is answered later, from the
  /// end of its handling on.
  func callBegins() -> Int {
    callCount &+= 1
    return callCount % Self.timedOf == 0 ? MonotonicTime.nanoseconds : 0
  }

  /// A call was answered after this wait.
  func callWasAnswered(_ wait: CallWait) {
    switch wait {
    case .atOnce(0): break
    case .atOnce(let start): callDurations.count(MonotonicTime.nanoseconds - start, times: Self.timedOf)
    case .later(let start): callDurations.count(MonotonicTime.nanoseconds - start)
    }
  }
}

/// The number of sessions, pages, calls and the like at one moment.
package struct SessionFigures {
  /// How many sessions are running.
  package var sessions = 0
  /// How many pages there are.
  package var pages = 0
  /// How many pages are connected.
  package var connectedPages = 0
  /// How many calls of pages have no answer yet.
  package var openCalls = 0
  /// How many sheets wait for an answer.
  package var openSheets = 0
  /// How many calls, flows and sheets wait at gates.
  package var holds = 0
  /// The approximate size of the journals of all sessions, in bytes.
  package var journalBytes = 0
  /// The limit of this size.
  package var journalByteLimit = 0
  /// How many sessions have changes that wait for the store, or are being written; nil without a store.
  package var storeQueue: Int?
}

/// Counts durations in fixed buckets. Counting allocates no memory.
package struct Histogram {
  /// The upper bound of each bucket except the last, in nanoseconds, and as text in seconds.
  package static let bucketLimits: [(nanoseconds: Int, seconds: String)] = [
    (100_000, "0.0001"), (250_000, "0.00025"), (500_000, "0.0005"), (1_000_000, "0.001"), (2_500_000, "0.0025"),
    (5_000_000, "0.005"), (10_000_000, "0.01"), (25_000_000, "0.025"), (50_000_000, "0.05"), (100_000_000, "0.1"),
    (250_000_000, "0.25"), (500_000_000, "0.5"), (1_000_000_000, "1"), (2_500_000_000, "2.5"), (5_000_000_000, "5"),
    (10_000_000_000, "10"), (30_000_000_000, "30"), (60_000_000_000, "60"), (300_000_000_000, "300"),
  ]

  /// The count of each bucket. The last bucket is for durations above all limits.
  package private(set) var counts = [Int](repeating: 0, count: bucketLimits.count + 1)
  /// The sum of all durations, in nanoseconds. Wraps around after 292 years.
  package private(set) var sum = 0

  /// Creates an empty histogram.
  package init() {}

  /// Counts a duration, as if it had occurred so many times.
  package mutating func count(_ nanoseconds: Int, times: Int = 1) {
    var index = 0
    while index < Self.bucketLimits.count, nanoseconds > Self.bucketLimits[index].nanoseconds { index += 1 }
    counts[index] += times
    sum &+= nanoseconds &* times
  }
}
