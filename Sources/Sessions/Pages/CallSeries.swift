/// The place of a call in one of its page's series.
struct CallNumber: Sendable, Hashable {
  /// Which series it is, counted from 0.
  fileprivate let series: Int
  /// The number at the end of the correlation id.
  fileprivate let value: Int
}

/// The series of a page's correlation ids, such as `footbridge-1`, `footbridge-2`, …
///
/// The ids of a series only go up. So one number for each series, the high-water mark, says of all calls up to it that they have been run:
/// one that comes again although its answer is forgotten is known, however many calls there were. A client whose ids do not go up is found
/// out by the first one that does not, and its series then says nothing.
struct CallSeries {
  private struct Series {
    let prefix: [UInt8]
    /// A hash of the prefix, by which ids are compared with it.
    let hash: Int
    /// The highest number that has come on the present connection.
    var highest = 0
    /// The high-water mark: the highest number of a call whose answer is forgotten; nil for none.
    var forgotten: Int?
    /// The calls up to the mark that had no answer when the server ended: they may be run again.
    var unanswered: Set<Int> = []
    /// Whether each number has been above the earlier ones of its connection.
    var isAscending = true

    init(_ prefix: some Sequence<UInt8>) {
      self.prefix = Array(prefix)
      hash = self.prefix.withUnsafeBufferPointer(WordHash.hash)
    }
  }

  /// How many series a page may have. The shim has two. A client with more of them has ids that are no series.
  static let limit = 8
  /// More digits are no number that was counted.
  private static let longestNumber = 15

  private var all: [Series] = []

  /// Creates the series of a page that has asked for nothing.
  init() {}

  /// Goes on where an earlier run of the server was.
  init(_ forgotten: ForgottenCalls) {
    all = forgotten.series.prefix(Self.limit).map {
      var series = Series($0.prefix.utf8)
      series.forgotten = $0.through
      series.unanswered = Set($0.unanswered)
      return series
    }
  }

  /// The number of a correlation id; nil for one that ends with no number, or is of one series too many.
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
    let prefix = UnsafeBufferPointer(rebasing: id[..<start])
    let hash = WordHash.hash(prefix)
    if let known = all.firstIndex(where: { $0.hash == hash }) {
      return CallNumber(series: known, value: value)
    }
    guard all.count < Self.limit else { return nil }
    all.append(Series(prefix))
    return CallNumber(series: all.count - 1, value: value)
  }

  /// The page has opened a connection. What has no answer comes again, in order.
  mutating func connected() {
    for index in all.indices { all[index].highest = 0 }
  }

  /// A call has come that is not known otherwise. False when it was run before, and must not be run again.
  mutating func begin(_ call: CallNumber) -> Bool {
    let series = all[call.series]
    guard series.isAscending else { return true }
    if let forgotten = series.forgotten, call.value <= forgotten, !series.unanswered.contains(call.value) {
      return false
    }
    if call.value <= series.highest { all[call.series].isAscending = false }
    all[call.series].highest = call.value
    return true
  }

  /// The answer to a call is forgotten.
  mutating func forget(_ call: CallNumber) {
    guard all[call.series].isAscending else { return }
    all[call.series].forgotten = max(all[call.series].forgotten ?? 0, call.value)
    all[call.series].unanswered.remove(call.value)
  }

  /// What the next run of the server has to know. `open` are the calls that have no answer yet.
  func record(open: [CallNumber]) -> ForgottenCalls {
    var record = ForgottenCalls()
    for (index, series) in all.enumerated() {
      guard let forgotten = series.forgotten else { continue }
      let open = open.filter { $0.series == index && $0.value <= forgotten }.map(\.value)
      record.series.append(
        ForgottenCalls.Series(
          prefix: String(decoding: series.prefix, as: UTF8.self), through: forgotten,
          unanswered: series.unanswered.union(open).sorted()))
    }
    return record
  }
}
