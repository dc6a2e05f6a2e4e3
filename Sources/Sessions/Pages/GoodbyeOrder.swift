import DequeModule

/// Puts the requests of a page that leaves in the order in which it sent them.
///
/// Each is a request of HTTP on a connection of its own, so one can overtake another, and a browser that finds a connection broken may send
/// one twice. They are numbered from 0 over the page's life.
struct GoodbyeOrder {
  /// How many requests wait for earlier ones, and with how many bytes. At more, the missing ones are not waited for any longer.
  static let countLimit = 32
  static let byteLimit = 128 << 10
  /// How many missing requests are known, so that they are run if they come after all.
  private static let missingLimit = 64

  /// The number of the request whose turn it is.
  private var next = 0
  /// Earlier ones that have not come.
  private var missing = Deque<Int>()
  private var waiting: [Int: [UInt8]] = [:]

  /// Whether there are requests that were not taken yet.
  var isWaiting: Bool { !waiting.isEmpty }

  /// Whether more must not wait.
  var isFull: Bool {
    waiting.count >= Self.countLimit || waiting.values.reduce(0) { $0 + $1.count } >= Self.byteLimit
  }

  /// A request has come. Those before `first` are of an earlier time that the page left, and are waited for no longer.
  mutating func arrived(_ number: Int, first: Int, _ body: [UInt8]) {
    skip(to: min(first, number))
    if number < next {
      guard let index = missing.firstIndex(of: number) else { return }
      missing.remove(at: index)
    }
    waiting[number] = body
  }

  /// Takes out the requests whose turn it is, in order.
  mutating func takeReady() -> [[UInt8]] {
    var taken: [[UInt8]] = []
    for number in waiting.keys.sorted() where number <= next {
      if number == next { next += 1 }
      if let body = waiting.removeValue(forKey: number) { taken.append(body) }
    }
    return taken
  }

  /// Takes out all requests, in order: the missing ones are not waited for any longer.
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
