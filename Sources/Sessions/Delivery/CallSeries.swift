/// The position of a call in a series of correlation ids.
struct CallNumber: Sendable, Hashable {
  /// The series, counted from 0.
  fileprivate let series: Int
  /// The number at the end of the correlation id.
  fileprivate let value: Int
}

/// The series of a page's correlation ids, such as `footbridge-1`, `footbridge-2`, …
///
/// The numbers of a series only increase. So one number per series, the high-water mark, says that all calls up to it have run. With it, a
/// repeated call is recognized even if its answer is deleted, however many calls there were. If a client's numbers do not increase, the mark
/// of its series stays where it is.
struct CallSeries {
  private struct Series {
    let prefix: [UInt8]
    /// The highest number on the current connection; nil before the first one.
    var highest: Int?
    /// The high-water mark: the highest number whose answer is deleted; nil for none.
    var forgotten: Int?
    /// The calls up to the mark that had no answer when the server ended. They can run again.
    var unanswered: Set<Int> = []
    /// Whether each number was higher than the earlier ones on the same connection.
    var isAscending = true

    init(_ prefix: some Sequence<UInt8>) { self.prefix = Array(prefix) }
  }

  /// The maximum number of series of a page. The shim uses two. A client with more series probably does not number its ids.
  static let limit = 8
  /// The maximum number of digits of a number.
  private static let longestNumber = 15

  private var all: [Series] = []

  /// Creates the series of a new page.
  init() {}

  /// Continues from an earlier run of the server.
  init(_ forgotten: EvictedCalls) {
    all = forgotten.series.prefix(Self.limit).map {
      var series = Series($0.prefix.utf8)
      series.forgotten = $0.through
      series.unanswered = Set($0.unanswered)
      return series
    }
  }

  /// Returns the position of a correlation id; nil if the id does not end with a number, or if there are too many series.
  mutating func number(of id: UnsafeBufferPointer<UInt8>) -> CallNumber? {
    var start = id.endIndex
    var value = 0
    var place = 1
    while start > 0, case let digit = id[start - 1], 0x30...0x39 ~= digit {
      if id.endIndex - start == Self.longestNumber { return nil }
      value += Int(digit - 0x30) * place
      place *= 10
      start -= 1
    }
    guard start < id.endIndex else { return nil }
    let prefix = id[..<start]
    if let known = all.firstIndex(where: { $0.prefix.elementsEqual(prefix) }) {
      return CallNumber(series: known, value: value)
    }
    guard all.count < Self.limit else { return nil }
    all.append(Series(prefix))
    return CallNumber(series: all.count - 1, value: value)
  }

  /// Notes that the page has opened a connection. It repeats its calls without an answer, in order.
  mutating func connected() {
    for index in all.indices { all[index].highest = nil }
  }

  /// Notes the arrival of a call that is not among the kept ones. Returns false if it has run before and must not run again.
  mutating func begin(_ call: CallNumber) -> Bool {
    let series = all[call.series]
    if let forgotten = series.forgotten, call.value <= forgotten, !series.unanswered.contains(call.value) {
      return false
    }
    if let highest = series.highest, call.value <= highest { all[call.series].isAscending = false }
    all[call.series].highest = call.value
    return true
  }

  /// Whether the high-water mark will cover a call whose answer is deleted.
  func covers(_ call: CallNumber) -> Bool { all[call.series].isAscending }

  /// Notes that the answer to a call is deleted.
  mutating func forget(_ call: CallNumber) {
    guard all[call.series].isAscending else { return }
    all[call.series].forgotten = max(all[call.series].forgotten ?? 0, call.value)
    all[call.series].unanswered.remove(call.value)
  }

  /// Returns the part that the next run of the server needs. `open` contains the calls without an answer.
  func record(open: [CallNumber]) -> EvictedCalls {
    var record = EvictedCalls()
    for (index, series) in all.enumerated() {
      guard let forgotten = series.forgotten else { continue }
      let open = open.filter { $0.series == index && $0.value <= forgotten }.map(\.value)
      record.series.append(
        EvictedCalls.Series(
          prefix: String(decoding: series.prefix, as: UTF8.self), through: forgotten,
          unanswered: series.unanswered.union(open).sorted()))
    }
    return record
  }
}
