/// How far a page is there: whether it has said hello, whether it has left, and whether the journal says that it is open. A pure state machine.
struct PagePresence: Equatable {
  /// Whether the page has said hello before, so that its count of received messages is one of ours.
  private(set) var isKnown: Bool
  /// Whether the page has said hello on its present connection.
  private(set) var hasGreeted = false
  /// Whether the page has left before, and has not said hello since.
  private(set) var hasLeft = false
  /// Whether a page of another origin is around this one in its tab: that page could have a person click on a sheet without seeing it.
  private(set) var isEmbedded = false
  /// Whether the journal says that the page is open.
  private(set) var isNotedAsOpen = false

  /// A page that has not come yet. `isKnown` says whether an earlier run of the server has known it.
  init(isKnown: Bool) {
    self.isKnown = isKnown
  }

  /// The page has a new connection, or has lost the one that it had.
  mutating func connectionChanged() {
    hasGreeted = false
  }

  /// The page says hello, and whether a page of another origin is around it.
  ///
  /// - Returns: whether it does so for the first time.
  mutating func greeted(isEmbedded: Bool) -> Bool {
    self.isEmbedded = isEmbedded
    defer {
      isKnown = true
      hasGreeted = true
      hasLeft = false
    }
    return !isKnown
  }

  /// The page has left, and comes back without a hello so far.
  mutating func left() {
    hasLeft = true
  }

  /// The journal says that the page is open.
  mutating func notedAsOpen() {
    isNotedAsOpen = true
  }
}
