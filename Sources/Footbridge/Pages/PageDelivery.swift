/// What a page was sent and what it has asked, kept so that a lost socket loses nothing and doubles nothing.
///
/// The page counts the host's events and requests, which carry a sequence number, and tells the count when it comes back: what it missed
/// is sent again. The host knows the page's requests by their correlation ids: one that comes twice is answered twice and done once.
struct PageDelivery {
  /// What to do with a request.
  enum RequestAction: Equatable {
    /// It is new: handle it.
    case handle
    /// It is being handled; its answer will come.
    case wait
    /// It was answered: send this again.
    case answer([UInt8])
  }

  /// How many messages, and how many bytes of them, are kept in each direction. The oldest make room.
  static let messageLimit = 1024
  static let byteLimit = 8 << 20

  private var lastSequence = 0
  private var unconfirmed = BoundedBytes<Int>()
  private var open: Set<String> = []
  private var answers = BoundedBytes<String>()
  /// The requests of earlier connections that were not asked again on this one.
  private var repeatable: Set<String> = []

  /// The page has opened a connection: it may send again what it asked before.
  mutating func connected() {
    repeatable = open.union(answers.keys)
  }

  /// A request arrived whose correlation id is the page's own choice. Pages may use one again: only on a new connection, and once, is that
  /// the same request.
  mutating func pageRequest(_ correlationId: String) -> RequestAction {
    if repeatable.remove(correlationId) != nil { return request(correlationId) }
    answers.remove(correlationId)
    open.insert(correlationId)
    return .handle
  }

  /// A request arrived.
  mutating func request(_ correlationId: String) -> RequestAction {
    if let answer = answers[correlationId] { return .answer(answer) }
    return open.insert(correlationId).inserted ? .handle : .wait
  }

  /// A request was answered with `text`. What is kept is its last answer: the result after an acknowledgement.
  mutating func answered(_ correlationId: String, _ text: [UInt8]) {
    open.remove(correlationId)
    answers.append(text, for: correlationId)
  }

  /// The sequence number of the next event or request to the page.
  mutating func nextSequence() -> Int {
    lastSequence += 1
    return lastSequence
  }

  /// An event or request was written as `text`.
  mutating func sent(_ sequence: Int, _ text: [UInt8]) {
    unconfirmed.append(text, for: sequence)
  }

  /// The page is back and has received everything up to `sequence`: what it missed, oldest first.
  mutating func resume(after sequence: Int) -> [[UInt8]] {
    unconfirmed.removeAll { $0 <= sequence }
    return unconfirmed.texts
  }
}
