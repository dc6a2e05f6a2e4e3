import Sessions
import Testing

@testable import Footbridge

@Suite struct MetricsTextTests {
  @Test func `each metric is written with its help, type and values`() {
    var metrics = MetricsText()
    metrics.gauge("a", "As.", 1)
    metrics.counter("b_total", "Bs.", [("kind=\"x\"", 2), ("kind=\"y\"", 0)])
    let expected = """
      # HELP a As.
      # TYPE a gauge
      a 1
      # HELP b_total Bs.
      # TYPE b_total counter
      b_total{kind="x"} 2
      b_total{kind="y"} 0

      """
    #expect(metrics.text == expected)
  }

  @Test func `the buckets of a histogram are cumulative`() {
    var histogram = Histogram()
    histogram.count(100_000)
    histogram.count(100_001, times: 16)
    histogram.count(2_000_000_000)
    histogram.count(300_000_000_001)
    var metrics = MetricsText()
    metrics.histogram("c_seconds", "Cs.", histogram)
    let lines = metrics.text.split(separator: "\n").map(String.init)
    #expect(lines.count == 2 + Histogram.bucketLimits.count + 3)
    #expect(
      lines.dropFirst(2).prefix(3) == [
        #"c_seconds_bucket{le="0.0001"} 1"#, #"c_seconds_bucket{le="0.00025"} 17"#,
        #"c_seconds_bucket{le="0.0005"} 17"#,
      ])
    #expect(lines.contains(#"c_seconds_bucket{le="2.5"} 18"#))
    #expect(
      lines.suffix(4) == [
        #"c_seconds_bucket{le="300"} 18"#, #"c_seconds_bucket{le="+Inf"} 19"#, "c_seconds_sum 302.001700017",
        "c_seconds_count 19",
      ])
  }

  @Test func `an empty histogram is written with all buckets`() {
    var metrics = MetricsText()
    metrics.histogram("c_seconds", "Cs.", Histogram())
    #expect(metrics.text.hasSuffix("c_seconds_bucket{le=\"+Inf\"} 0\nc_seconds_sum 0.0\nc_seconds_count 0\n"))
  }

  @Test func `responses are counted by status class`() {
    var requests = RequestMetrics()
    for code in [101, 200, 204, 304, 404, 500, 999] { requests.answered(.init(code: code), 1000) }
    #expect(requests.counts == [1, 2, 1, 1, 2])
    #expect(requests.durations.counts.first == 7)
  }
}
