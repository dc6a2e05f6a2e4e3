import DequeModule

/// Restores the order in which a leaving page sent its requests.
///
/// Each is an HTTP request on its own connection, so one can overtake another. A browser that finds a connection broken may send one twice.
/// They are numbered from 0 over the page's life.
struct GoodbyeOrder {
  /// The maximum number and size of requests that wait for earlier ones. Beyond that, missing requests are given up. A browser has at most
  /// 64 KiB under way for a page, so this is more than can overtake a slow request.
  static let countLimit = 512
  static let byteLimit = 128 << 10
  /// The maximum number of missing requests that are remembered, so that they run if they come after all.
  private static let missingLimit = 512

  /// The number of the next request.
  private var next = 0
  /// Earlier requests that have not come.
  private var missing = Deque<Int>()
  private var waiting: [Int: [UInt8]] = [:]

  /// Whether requests wait.
  var isWaiting: Bool { !waiting.isEmpty }

  /// Whether no more requests may wait.
  var isFull: Bool {
    waiting.count >= Self.countLimit || waiting.values.reduce(0) { $0 + $1.count } >= Self.byteLimit
  }

  /// A request has come. Requests before `first` belong to an earlier departure and are given up.
  mutating func arrived(_ number: Int, first: Int, _ body: [UInt8]) {
    skip(to: min(first, number))
    if number < next {
      guard let index = missing.firstIndex(of: number) else { return }
      missing.remove(at: index)
    }
    waiting[number] = body
  }

  /// Removes and returns the requests that are next, in order.
  mutating func takeReady() -> [[UInt8]] {
    var taken: [[UInt8]] = []
    for number in waiting.keys.sorted() where number <= next {
      if number == next { next += 1 }
      if let body = waiting.removeValue(forKey: number) { taken.append(body) }
    }
    return taken
  }

  /// Removes and returns all requests, in order. Missing ones are given up.
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
