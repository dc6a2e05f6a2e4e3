import DequeModule

/// Restores the order in which a leaving page has sent its goodbye requests.
///
/// Each request has its own connection, so one can overtake another. If a connection breaks, the browser may send a request twice. The
/// requests of a page are numbered from 0.
struct GoodbyeQueue {
  /// The maximum number and total size of requests that wait for missing ones. Above it, the missing ones are given up. Browsers send at most
  /// 64 KiB at a time for a page, so slow requests do not reach this limit.
  static let countLimit = 512
  static let byteLimit = 128 << 10
  /// The maximum number of given-up requests that are remembered, so that they still run if they come late.
  private static let missingLimit = 512

  /// The number of the next request.
  private var next = 0
  /// The given-up requests, which have not come yet.
  private var missing = Deque<Int>()
  private var waiting: [Int: [UInt8]] = [:]

  /// Whether requests wait.
  var isWaiting: Bool { !waiting.isEmpty }

  /// Whether no more requests may wait.
  var isFull: Bool {
    waiting.count >= Self.countLimit || waiting.values.reduce(0) { $0 + $1.count } >= Self.byteLimit
  }

  /// Adds a request. Missing requests before `first` belong to an earlier departure and are given up.
  mutating func arrived(_ number: Int, first: Int, _ body: [UInt8]) {
    skip(to: min(first, number))
    if number < next {
      guard let index = missing.firstIndex(of: number) else { return }
      missing.remove(at: index)
    }
    waiting[number] = body
  }

  /// Removes and returns, in order, the requests that need not wait.
  mutating func takeReady() -> [[UInt8]] {
    var taken: [[UInt8]] = []
    for number in waiting.keys.sorted() where number <= next {
      if number == next { next += 1 }
      if let body = waiting.removeValue(forKey: number) { taken.append(body) }
    }
    return taken
  }

  /// Removes and returns all requests, in order. Gives up missing ones.
  mutating func takeAll() -> [[UInt8]] {
    if let last = waiting.keys.max() { skip(to: last) }
    return takeReady()
  }

  private mutating func skip(to number: Int) {
    guard number > next else { return }
    for skipped in max(next, number - Self.missingLimit)..<number where waiting[skipped] == nil {
      missing.append(skipped)
    }
    while missing.count > Self.missingLimit { missing.removeFirst() }
    next = number
  }
}
