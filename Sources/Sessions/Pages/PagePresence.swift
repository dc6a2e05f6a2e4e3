/// Whether a page has said hello, whether it has left, and whether the journal says that it is open. A pure state machine.
struct PagePresence: Equatable {
  /// Whether the page has said hello before, so that its count of received messages is valid here.
  private(set) var isKnown: Bool
  /// Whether the page has said hello on its present connection.
  private(set) var hasGreeted = false
  /// Whether anything has come on the page's present connection. The first message of a page that comes back is its hello.
  private(set) var isHeard = false
  /// Whether the page has left and has not said hello since.
  private(set) var hasLeft = false
  /// Whether a page of another origin surrounds this one in its tab. Such a page could make a person click on a sheet unseen.
  private(set) var isEmbedded = false
  /// Whether the journal says that the page is open.
  private(set) var isNotedAsOpen = false

  /// Creates the state of a page that has not come yet.
  ///
  /// - Parameter isKnown: Whether an earlier run of the server knew the page.
  init(isKnown: Bool) {
    self.isKnown = isKnown
  }

  /// Notes that the page has a new connection, or has lost its connection.
  mutating func connectionChanged() {
    hasGreeted = false
    isHeard = false
  }

  /// Notes a message on the present connection.
  mutating func heard() {
    isHeard = true
  }

  /// Notes the page's hello.
  ///
  /// - Parameter isEmbedded: Whether a page of another origin surrounds this one.
  /// - Returns: Whether this is the page's first hello.
  mutating func greeted(isEmbedded: Bool) -> Bool {
    self.isEmbedded = isEmbedded
    defer {
      isKnown = true
      hasGreeted = true
      hasLeft = false
    }
    return !isKnown
  }

  /// Notes that the page has left.
  mutating func left() {
    hasLeft = true
  }

  /// Notes that the journal says that the page is open.
  mutating func notedAsOpen() {
    isNotedAsOpen = true
  }
}
