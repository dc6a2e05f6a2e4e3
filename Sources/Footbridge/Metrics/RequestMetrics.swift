import HTTPTypes
import Sessions

/// What is counted of the requests that the server has answered.
struct RequestMetrics {
  /// How many responses there were, by the first digit of their status, which is 1 to 5.
  private(set) var counts = [Int](repeating: 0, count: 5)
  /// How long the requests have taken.
  private(set) var durations = Histogram()

  /// A request was answered.
  mutating func answered(_ status: HTTPResponse.Status, _ nanoseconds: Int) {
    counts[min(max(status.code / 100, 1), 5) - 1] += 1
    durations.count(nanoseconds)
  }
}
