import DequeModule

/// The calls of one page and their latest answers, by correlation id. So a call that arrives twice takes effect exactly once.
///
/// If there are too many answers, the oldest are deleted. Their calls are still known to have run, and never run again.
struct KnownCalls {
  /// One call.
  private struct Call {
    /// What has become of its answer.
    enum Answer {
      /// There is none yet.
      case none
      /// The latest one, and its number.
      case stored([UInt8], number: Int)
      /// The one with this number is deleted.
      case forgotten(number: Int)
    }

    /// A hash of the request; nil if it is not known.
    var request: Int?
    /// Its position in a series of ids; nil if the page has chosen the id.
    var number: CallNumber?
    /// The connection on which it arrived last.
    var connection: UInt32
    var answer = Answer.none

    var isForgotten: Bool { if case .forgotten = answer { true } else { false } }

    /// The size of its answer in bytes.
    var byteCount: Int { if case .stored(let text, _) = answer { text.count } else { 0 } }

    /// Returns the size of its former answer.
    mutating func takeAnswer(_ text: [UInt8], number: Int) -> Int {
      let former = byteCount
      answer = .stored(text, number: number)
      return former
    }

    /// What to do when it arrives again.
    var repeatedAction: PageDelivery.RequestAction {
      switch answer {
      case .none: .wait
      case .stored(let text, _): .answer(text)
      case .forgotten: .refuse
      }
    }
  }

  /// The number of an answer, and the call that it belongs to.
  private typealias AnswerNumber = (call: CallID, number: Int)

  /// The maximum number of calls that are known without their answers.
  static let forgottenLimit = 16_384

  private var calls: [CallID: Call] = [:]
  /// The latest call with an id that the page has used before for another call.
  private(set) var reusedCall: CallID?
  private var series = CallSeries()
  /// Whether answers were deleted since ``takeForgotten()``.
  private var hasForgotten = false
  /// The stored answers, oldest first. If a call has several answers, the last one counts.
  private var order = Deque<AnswerNumber>()
  /// The deleted answers whose calls are still known, oldest first.
  private var forgotten = Deque<AnswerNumber>()
  private var answerCount = 0
  /// The size of the stored answers in bytes.
  private(set) var byteCount = 0
  /// The number of the page's connections so far.
  private var connection: UInt32 = 0

  /// Creates a record without calls.
  init() {}

  /// Creates a record of the calls that an earlier run of the server has answered.
  init(_ answers: [PageChange.Answer], forgotten: EvictedCalls) {
    series = CallSeries(forgotten)
    for answer in answers {
      var id = answer.correlationId
      let call = CallID(id)
      let number = id.withUTF8 { series.number(of: $0) }
      if calls[call] == nil { calls[call] = Call(number: number, connection: connection) }
      answered(call, answer.text, byteLimit: PageDelivery.byteLimit)
    }
    hasForgotten = false
  }

  /// The number of known calls.
  var count: Int { calls.count }

  /// Whether a call is known.
  func contains(_ call: CallID) -> Bool { calls[call] != nil }

  /// Notes that the page has opened a connection. It may repeat earlier calls.
  mutating func connected() {
    series.connected()
    connection += 1
  }

  /// Decides a call whose id the page has chosen. Pages may reuse ids, so a call counts as repeated only if it has the same id and text, and
  /// only once on each new connection.
  ///
  /// - Parameter request: A hash of the call's text.
  mutating func beginPages(_ call: CallID, request: Int) -> PageDelivery.RequestAction {
    if let known = calls[call] {
      if known.connection != connection {
        calls[call]?.connection = connection
        if known.request ?? request == request { return known.repeatedAction }
      }
      if !known.isForgotten {
        reusedCall = call
        byteCount -= known.byteCount
      }
    }
    calls[call] = Call(request: request, connection: connection)
    return .handle
  }

  /// Decides a call whose id the shim has chosen. `id` is the correlation id in UTF-8.
  mutating func begin(_ call: CallID, _ id: UnsafeBufferPointer<UInt8>) -> PageDelivery.RequestAction {
    // A forgotten call of the page's own is another one with the same id.
    if let known = calls[call], !known.isForgotten || known.request == nil { return known.repeatedAction }
    let number = series.number(of: id)
    if let number, !series.begin(number) { return .refuse }
    calls[call] = Call(number: number, connection: connection)
    return .handle
  }

  /// Stores an answer, which replaces an earlier one to the same call. Deletes the oldest answers if there are too many, or more than `byteLimit`
  /// bytes of them.
  mutating func answered(_ call: CallID, _ text: [UInt8], byteLimit: Int) {
    byteCount += text.count - calls[call, default: Call(connection: connection)].takeAnswer(text, number: answerCount)
    order.append((call, answerCount))
    answerCount += 1
    while order.count > PageDelivery.messageLimit || (byteCount > byteLimit && !order.isEmpty) {
      forgetOldest()
    }
  }

  /// Deletes the oldest answers until the others have at most `limit` bytes.
  mutating func forgetAnswers(above limit: Int) {
    while byteCount > limit, !order.isEmpty { forgetOldest() }
  }

  /// Deletes the oldest answer. Its call stays known without it, unless its number shows that it was used before.
  private mutating func forgetOldest() {
    let oldest = order.removeFirst()
    guard let index = calls.index(forKey: oldest.call),
      case .stored(let text, oldest.number) = calls.values[index].answer
    else { return }
    byteCount -= text.count
    let number = calls.values[index].number
    if let number, series.covers(number) {
      calls.remove(at: index)
    } else {
      calls.values[index].answer = .forgotten(number: oldest.number)
      forgotten.append(oldest)
      if forgotten.count > Self.forgottenLimit { removeOldestForgotten() }
    }
    guard let number else { return }
    series.forget(number)
    hasForgotten = true
  }

  private mutating func removeOldestForgotten() {
    let oldest = forgotten.removeFirst()
    if case .forgotten(oldest.number) = calls[oldest.call]?.answer { calls[oldest.call] = nil }
  }

  /// Returns the calls that have run and whose answers are deleted; nil if there are no new ones since the last time.
  mutating func takeForgotten() -> EvictedCalls? {
    guard hasForgotten else { return nil }
    hasForgotten = false
    let open = calls.values.compactMap { call in if case .none = call.answer { call.number } else { nil } }
    return series.record(open: open)
  }

  /// Notes that the calls of the last ``takeForgotten()`` may not have been stored. The next call returns them again.
  mutating func undoTakingForgotten() {
    hasForgotten = true
  }
}
