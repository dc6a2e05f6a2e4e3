import Sessions

/// Figures in the text format of Prometheus, version 0.0.4 (https://prometheus.io/docs/instrumenting/exposition_formats/).
struct MetricsText {
  /// The media type.
  static let contentType = "text/plain; version=0.0.4; charset=utf-8"

  /// The text so far.
  private(set) var text = ""

  /// Adds a figure that goes up and down.
  mutating func gauge(_ name: String, _ help: String, _ value: Int, _ labels: String = "") {
    begin(name, "gauge", help)
    add(name, labels, "\(value)")
  }

  /// Adds a figure that only goes up.
  mutating func counter(_ name: String, _ help: String, _ value: Int) {
    counter(name, help, [("", value)])
  }

  /// Adds a figure that only goes up, once for each value of a label.
  mutating func counter(_ name: String, _ help: String, _ values: [(label: String, value: Int)]) {
    begin(name, "counter", help)
    for (label, value) in values { add(name, label, "\(value)") }
  }

  /// Adds a histogram of durations. Each bucket also counts the values of the buckets before it.
  mutating func histogram(_ name: String, _ help: String, _ histogram: Histogram) {
    begin(name, "histogram", help)
    var count = 0
    for (limit, ownCount) in zip(Histogram.bucketLimits, histogram.counts) {
      count += ownCount
      add(name + "_bucket", "le=\"\(limit.seconds)\"", "\(count)")
    }
    count += histogram.counts.last ?? 0
    add(name + "_bucket", "le=\"+Inf\"", "\(count)")
    add(name + "_sum", "", "\(Double(histogram.sum) / 1e9)")
    add(name + "_count", "", "\(count)")
  }

  private mutating func begin(_ name: String, _ type: String, _ help: String) {
    text += "# HELP \(name) \(help)\n# TYPE \(name) \(type)\n"
  }

  private mutating func add(_ name: String, _ labels: String, _ value: String) {
    text += labels.isEmpty ? "\(name) \(value)\n" : "\(name){\(labels)} \(value)\n"
  }
}
