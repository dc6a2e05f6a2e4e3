/// Whether a page is connected, has said hello, and has left. A pure state machine.
struct PagePresence: Equatable {
  /// Whether the page has a connection.
  private(set) var isConnected = false
  /// Whether the page has said hello before, so that its count of received messages is valid here.
  private(set) var isKnown: Bool
  /// Whether the page has said hello on its present connection.
  private(set) var hasGreeted = false
  /// Whether a message has come on the page's present connection. The first message of a page that comes back is its hello.
  private(set) var isHeard = false
  /// Whether the page has left and has not said hello since.
  private(set) var hasDeparted = false
  /// Whether the page has left, and the browser may restore it from its page cache.
  private(set) var isCached = false

  /// Creates the state of a page that has not connected yet.
  ///
  /// - Parameter isKnown: Whether an earlier run of the server knew the page.
  init(isKnown: Bool) {
    self.isKnown = isKnown
  }

  /// Notes that the page has a new connection.
  mutating func connected() {
    disconnected()
    isConnected = true
    isCached = false
  }

  /// Notes that the page has lost its connection.
  mutating func disconnected() {
    isConnected = false
    hasGreeted = false
    isHeard = false
  }

  /// Notes that the browser puts the page into its page cache.
  mutating func cached() {
    isCached = true
  }

  /// Notes that the page is no longer in the page cache.
  mutating func returned() {
    isCached = false
  }

  /// Notes a message on the present connection.
  mutating func heard() {
    isHeard = true
  }

  /// Notes the page's hello.
  ///
  /// - Returns: Whether this is the page's first hello.
  mutating func greeted() -> Bool {
    defer {
      isKnown = true
      hasGreeted = true
      hasDeparted = false
    }
    return !isKnown
  }

  /// Notes that the page has left.
  mutating func departed() {
    hasDeparted = true
  }
}
