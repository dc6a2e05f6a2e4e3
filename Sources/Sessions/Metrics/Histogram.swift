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
