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
