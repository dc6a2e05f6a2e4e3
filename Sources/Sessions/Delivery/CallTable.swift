import DequeModule

/// The calls of one page in the order in which they arrived, found by their ids.
///
/// With many pages, none of this is in a cache of the processor when a message comes. So a message touches little memory: the latest call, the
/// oldest answer, and one place of the index. Two dictionaries needed no more instructions, but touched more memory: with them, a message took
/// a fifth more CPU time (`make bench PARTS=messages`, "64 connections, 16 in flight, query of a page, CPU time").
struct CallTable {
  /// One call.
  struct Call {
    /// The state of a call.
    enum State: UInt8 {
      /// It has no answer yet.
      case open
      /// It has an answer.
      case answered
      /// It was answered, and the answer is deleted.
      case forgotten
      /// The table no longer finds it.
      case ended
    }

    let id: CallID
    /// A hash of the request; nil if it is not known.
    let request: Int?
    /// Its position in a series of ids; nil if the page has chosen the id.
    let number: CallNumber?
    /// The connection on which it arrived last.
    var connection: UInt32
    fileprivate(set) var state = State.open
    /// Its answer; empty unless it is ``State/answered``.
    fileprivate(set) var answer: [UInt8] = []
    /// The number of ``answer``.
    fileprivate(set) var answerNumber = 0

    init(_ id: CallID, request: Int? = nil, number: CallNumber? = nil, connection: UInt32) {
      self.id = id
      self.request = request
      self.number = number
      self.connection = connection
    }

    /// Returns the size of its former answer.
    fileprivate mutating func takeAnswer(_ text: [UInt8], number: Int) -> Int {
      let former = answer.count
      answer = text
      answerNumber = number
      state = .answered
      return former
    }

    /// Returns nil if it has no answer with this number.
    fileprivate mutating func forgetAnswer(number: Int, isCovered: Bool) -> ForgottenAnswer? {
      guard state == .answered, answerNumber == number else { return nil }
      let byteCount = answer.count
      answer = []
      state = isCovered ? .ended : .forgotten
      return ForgottenAnswer(byteCount: byteCount, call: self.number, hasEnded: state == .ended)
    }
  }

  /// An answer that was forgotten.
  struct ForgottenAnswer: Equatable {
    let byteCount: Int
    /// The number of its call in a series of ids; nil if the page has chosen the id.
    let call: CallNumber?
    fileprivate let hasEnded: Bool
  }

  /// The maximum number of forgotten calls.
  static let forgottenLimit = 16_384

  private var calls = Deque<Call>()
  /// The position of the first call in ``calls``. Positions go up by one with each call.
  private var firstPosition = 0
  private var forgottenCount = 0
  private var endedCount = 0
  /// A hash table with open addressing. An entry is 0, or a part of a call's hash and the lowest bits of its position.
  private var index: [UInt32] = []
  private var usedCount = 0

  /// All calls, oldest first.
  var all: some Sequence<Call> { calls }

  /// The position of a call; nil if it is not known.
  func position(of id: CallID) -> Int? {
    // Most answers belong to the call that has come last.
    if let last = calls.indices.last, calls[last].id == id, calls[last].state != .ended { return firstPosition + last }
    return place(of: id).map { position(index[$0]) }
  }

  /// The call at a position that ``position(of:)`` has returned, until the table changes.
  subscript(position: Int) -> Call {
    get { calls[position - firstPosition] }
    _modify { yield &calls[position - firstPosition] }
  }

  /// The number of the call at a position; nil if it has none, or is not in the table any more.
  func number(at position: Int) -> CallNumber? {
    position < firstPosition ? nil : calls[position - firstPosition].number
  }

  /// Adds a call whose id is not known. Returns its position.
  @discardableResult
  mutating func append(_ call: Call) -> Int {
    let position = firstPosition + calls.count
    calls.append(call)
    insert(call.id, position)
    return position
  }

  /// Forgets a call.
  mutating func remove(_ position: Int) {
    if self[position].state == .forgotten { forgottenCount -= 1 }
    self[position].answer = []
    self[position].state = .ended
    endedCount += 1
    trim()
  }

  /// Gives a call its answer. Returns the size of its former one.
  mutating func answer(_ position: Int, with text: [UInt8], number: Int) -> Int {
    if calls[position - firstPosition].state == .forgotten { forgottenCount -= 1 }
    return calls[position - firstPosition].takeAnswer(text, number: number)
  }

  /// Forgets the answer with this number, if the call at a position still has it. The call stays in the table without its answer, unless its
  /// number shows that it was used before.
  ///
  /// - Parameter isCovered: Whether the series of the call shows this.
  mutating func forgetAnswer(_ position: Int, number: Int, isCovered: Bool) -> ForgottenAnswer? {
    guard position >= firstPosition,
      let forgotten = calls[position - firstPosition].forgetAnswer(number: number, isCovered: isCovered)
    else { return nil }
    if forgotten.hasEnded { endedCount += 1 } else { forgottenCount += 1 }
    trim()
    return forgotten
  }

  /// Drops the oldest calls that nobody needs. A call that is still needed moves to the end if it keeps too many others.
  private mutating func trim() {
    while !calls.isEmpty {
      switch calls[0].state {
      case .ended: endedCount -= 1
      case .forgotten where forgottenCount > Self.forgottenLimit: forgottenCount -= 1
      case .open where forgottenCount > Self.forgottenLimit, .open where endedCount > calls.count / 2,
        .forgotten where endedCount > calls.count / 2:
        calls.append(calls[0])
        insert(calls[0].id, firstPosition + calls.count - 1)
      default: return
      }
      calls.removeFirst()
      firstPosition += 1
    }
  }

  // MARK: The index

  /// How many bits of a position are in an entry. There are always fewer calls than these bits can tell apart.
  private static let positionBits = 20
  private static let positionMask = 1 << positionBits - 1

  /// An entry of the index. Its highest bit is always set.
  private static func entry(_ id: CallID, _ position: Int) -> UInt32 {
    UInt32(truncatingIfNeeded: mark(of: id) << positionBits | (position & positionMask))
  }

  /// The part of an entry that tells most calls apart without looking at them.
  private static func mark(of id: CallID) -> Int { id.hash >> 40 & 0x7FF | 0x800 }

  /// The position that an entry stands for. It may be that of a call which has been dropped.
  private func position(_ entry: UInt32) -> Int {
    firstPosition + ((Int(entry) & Self.positionMask) &- firstPosition) & Self.positionMask
  }

  /// The place of a call in the index; nil if it is not known.
  private func place(of id: CallID) -> Int? {
    if index.isEmpty { return nil }
    var place = id.hash & (index.count - 1)
    while index[place] != 0 {
      if Int(index[place]) >> Self.positionBits == Self.mark(of: id) {
        let offset = position(index[place]) - firstPosition
        if offset < calls.count, calls[offset].id == id, calls[offset].state != .ended { return place }
      }
      place = (place + 1) & (index.count - 1)
    }
    return nil
  }

  /// Adds a call that is not in the index. When half of the index is used, builds it again without the calls that were dropped.
  private mutating func insert(_ id: CallID, _ position: Int) {
    usedCount += 1
    guard usedCount * 2 > index.count else { return place(id, position) }
    var size = 16
    while size < calls.count * 3 { size *= 2 }
    index = Array(repeating: 0, count: size)
    usedCount = 0
    for (offset, call) in calls.enumerated() where call.state != .ended {
      place(call.id, firstPosition + offset)
      usedCount += 1
    }
  }

  private mutating func place(_ id: CallID, _ position: Int) {
    var place = id.hash & (index.count - 1)
    while index[place] != 0 { place = (place + 1) & (index.count - 1) }
    index[place] = Self.entry(id, position)
  }
}
