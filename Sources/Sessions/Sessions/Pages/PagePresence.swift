/// Knows whether a page has said hello, whether it has left, and whether the journal has it as open. A pure state machine.
struct PagePresence: Equatable {
  /// Whether the page has said hello before, so that its count of received messages is valid here.
  private(set) var isKnown: Bool
  /// Whether the page has said hello on its present connection.
  private(set) var hasGreeted = false
  /// Whether a message has come on the page's present connection. The first message of a page that comes back is its hello.
  private(set) var isHeard = false
  /// Whether the page has left and has not said hello since.
  private(set) var hasLeft = false
  /// Whether the page is in a frame of a page of another origin. That page could trick a person into clicking on a sheet.
  private(set) var isEmbedded = false
  /// Whether the journal has an entry that the page was opened.
  private(set) var isNotedAsOpen = false

  /// Creates the state of a page that has not connected yet.
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
  /// - Parameter isEmbedded: Whether the page is in a frame of a page of another origin.
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

  /// Notes that the journal has an entry that the page was opened.
  mutating func notedAsOpen() {
    isNotedAsOpen = true
  }
}
