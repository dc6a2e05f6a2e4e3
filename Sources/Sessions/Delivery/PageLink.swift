package import BridgeCore

/// The messages between one page and its host: none is lost and none takes effect twice, whatever happens to the page's socket and to the
/// server. A pure state machine: it takes what the page has sent and what the host says, and returns what to do.
///
/// A page that loses its socket comes back and continues its calls. Messages to the page have sequence numbers, and the page gets again what it
/// has missed. Its calls have correlation ids: a call that arrives twice runs once and is answered twice. If the session is stored, messages
/// that tell the page of a change wait until the change is stored.
///
/// A class, because its page asks it several times for each message, and each question copied the whole of a struct (make instructions,
/// "query of a page": a ninth).
package final class PageLink {
  /// The action of the page's first request on each connection: the page's id, and how much it has received.
  package static let hello = "footbridge.hello"

  /// The id that the page's shim has chosen, under which the page comes back; nil for a client without a shim.
  package let shimID: String?
  /// Whether there is a store. Messages to the page then wait for it.
  package let isDurable: Bool
  let owners: ActionOwners
  private let limits: LinkLimits
  private(set) var presence: PagePresence
  var delivery: PageDelivery
  var openCalls: OpenCalls
  /// The open calls among them that have numbers.
  var numberedCalls = NumberedCalls()
  /// The requests of the host that the page has answered last: it may send the answers again.
  private var answered = AnsweredRequests()
  var outbox = PageOutbox()
  /// The calls whose answers block a script of the page.
  var urgentCalls = UrgentCalls()
  /// The requests of the page's goodbye.
  private var goodbyes = GoodbyeQueue()
  var handled = HandledMessage()
  /// Whether input of the page is being handled. Messages to the page go out when this is done.
  private(set) var isInTurn = false

  /// Creates the link of a page.
  ///
  /// - Parameters:
  ///   - id: The page's id in the store if it has no shim.
  ///   - record: The stored part of a page of an earlier run of the server; nil for a new page.
  ///   - space: What the pages of the session hold together.
  ///   - isDurable: Whether there is a store.
  package init(
    id: String, shimID: String?, record: PageRecord? = nil, owners: ActionOwners, limits: LinkLimits,
    space: SessionSpace, isDurable: Bool
  ) {
    self.shimID = shimID
    self.isDurable = isDurable
    self.owners = owners
    self.limits = limits
    presence = PagePresence(isKnown: record != nil)
    delivery =
      record.map { PageDelivery(pageID: shimID ?? id, $0, space: space.messages) }
      ?? PageDelivery(pageID: shimID ?? id, isDurable: isDurable, space: space.messages)
    openCalls = OpenCalls(countLimit: limits.openCalls, space: space.calls)
  }

  // MARK: The connection

  /// Whether the page has a connection and has said hello on it, so that it receives events.
  package var isListening: Bool { presence.isConnected && presence.hasGreeted }
  /// Whether the page has ever said hello.
  package var isKnown: Bool { presence.isKnown }
  /// Whether the page can come back after it has lost its connection.
  var isResumable: Bool { shimID != nil }
  /// Whether the page ends with its connection: it cannot come back, or it has left.
  package var endsWithConnection: Bool { !isResumable || presence.hasDeparted }

  /// Notes that the page has opened a connection. The page says hello, gets missed messages again, and repeats its calls.
  package func connected() {
    presence.connected()
    delivery.connected()
    outbox.removeAll()
  }

  /// Notes that the page has lost its connection.
  package func disconnected() { presence.disconnected() }

  /// Whether the page has left, and the browser may restore it from its page cache.
  package var isCached: Bool { presence.isCached }

  /// Notes that the browser puts the page into its page cache.
  package func cached() { presence.cached() }

  /// Notes that the page is no longer in the page cache.
  package func returned() { presence.returned() }

  /// Returns the messages that the page has lost, before its hello is noted; nil if it has lost none. `sequence` is as for
  /// ``resume(after:)``.
  package func takeLost(after sequence: Int) -> LostMessages? {
    delivery.takeLost(after: presence.isKnown ? sequence : 0)
  }

  /// Notes the page's hello.
  ///
  /// - Parameter sequence: The number of the last message that the page has received; ignored if the page is new here.
  /// - Returns: Whether this is the page's first hello, and the messages that it has missed and gets now.
  package func resume(after sequence: Int) -> (isFirst: Bool, missed: [Sent]) {
    let missed = delivery.resume(after: presence.isKnown ? sequence : 0)
    let isFirst = presence.greeted()
    return (isFirst, missed.map { route($0.text, .sequence($0.sequence)) })
  }

  // MARK: From the page

  /// Begins a turn: input of the page is handled now.
  ///
  /// - Parameter isFromSocket: Whether the input has come on the page's connection.
  package func beginTurn(isFromSocket: Bool) {
    isInTurn = true
    if isFromSocket { presence.heard() }
  }

  /// Ends a turn. Then call ``release(isStored:)``, if there is a store.
  package func endTurn() { isInTurn = false }

  /// Reads a message of the page, and decides what becomes of it.
  package func received(_ text: UnsafeBufferPointer<UInt8>) -> Reception {
    let message: BridgeMessage
    do throws(JSONError) {
      message = try BridgeMessage(parsing: text, valueLimit: limits.messageValues)
    } catch {
      return .unreadable(error)
    }
    if limits.isHeadTooLong(message, byteCount: text.count) {
      return .unreadable(JSONError("the strings of its head are too long", offset: 0))
    }
    let call = PageCall(message, owners)
    let isRequest = message.type == .request
    if isRequest, isResumable, let answer = repeated(message, call, text) { return answer }
    if message.type == .response, call.owner.isMadeByShim, !answered.insert(call.id) { return .ignore }
    if let problem = limits.problem(of: message, call.owner, byteCount: text.count) {
      return .refuse(message, call, .tooLarge(problem))
    }
    if isRequest {
      if !openCalls.hasRoom { return .refuse(message, call, .tooManyCalls) }
      if !openCalls.hasRoom(forByteCount: text.count) { return .refuse(message, call, .callsTooLarge) }
    }
    return .handle(message, call)
  }

  /// What becomes of a repeated call; nil if it is new.
  private func repeated(
    _ message: BridgeMessage, _ call: PageCall, _ text: UnsafeBufferPointer<UInt8>
  ) -> Reception? {
    // A hello belongs to one connection, so it is never a repeated call.
    if isHello(message, call) { return nil }
    let action =
      call.owner.isMadeByShim || call.number != nil
      ? message.withIdentifier { delivery.request(call.id, $0) } : delivery.pageRequest(call.id, text)
    switch action {
    case .handle: return nil
    case .wait: return openCalls.contains(call.id) ? .wait : .refuse(message, call, .pageLeft)
    case .answer(let text): return .answer(route(text, .answer(call.id)))
    case .refuse: return .refuse(message, call, .answerDeleted)
    }
  }

  func isHello(_ message: BridgeMessage, _ call: PageCall) -> Bool {
    call.owner == .footbridge && message.action == Self.hello
  }

  /// Begins to handle a message. A request waits for an answer from now on.
  ///
  /// - Parameters:
  ///   - byteCount: The size of the message.
  ///   - cursor: The cursor of its journal entry.
  ///   - start: The time of the monotonic clock in nanoseconds; 0 if it is not measured.
  package func begin(_ message: BridgeMessage, _ call: PageCall, byteCount: Int, cursor: Int?, start: Int) {
    if message.type == .request { openCalls.begin(call.id, byteCount: byteCount, cursor: cursor, start: start) }
    if message.type == .request, let number = call.number { numberedCalls.begin(CallID(message), number) }
    handled.begin(message, call)
  }

  /// Notes that the message was handled. If it was a request without an answer, the answer comes later.
  ///
  /// - Parameter now: The time of the monotonic clock in nanoseconds. Read only if there is no answer.
  package func endHandling(at now: @autoclosure () -> Int) {
    handled.end()
    openCalls.finishHandling(at: now)
  }

  /// Whether the request that is being handled has an id that the page has used before for another request.
  package func hasReusedID(_ request: BridgeMessage, _ call: PageCall) -> Bool {
    if call.number == nil { return delivery.hasReused(call.id) }
    let id = CallID(request)
    return numberedCalls[id].count > 1 || (!request.hasShimsID && delivery.hasUsed(id))
  }

  // MARK: Open calls

  /// How many calls wait for an answer.
  package var openCallCount: Int { openCalls.count }
  /// Whether a call waits that something handles, so that the page gets an answer soon.
  package var isAnswering: Bool { presence.isConnected && openCalls.isAnyUnderWay }

  /// Notes that nothing handles a request, which waits for an answer from a test.
  ///
  /// - Returns: Whether the page has made the request itself.
  package func isUnhandled(_ request: BridgeMessage) -> Bool {
    let call = call(of: request)
    if call.owner.isMadeByShim { return false }
    openCalls.isUnhandled(call.id)
    return true
  }

  /// The action of a request that was acknowledged and has no result yet; nil if there is no such request.
  package func acknowledgedAction(of correlationID: String) -> String? {
    let id = CallID(correlationID)
    let calls = [id] + numberedCalls[id].map { CallID(pageCall: $0) }
    return calls.lazy.compactMap { self.openCalls.acknowledgedAction(of: $0) }.first
  }

  /// The call that a message belongs to.
  func call(of message: BridgeMessage) -> PageCall {
    if let call = handled.call(of: message) { return call }
    let call = PageCall(message, owners)
    if numberedCalls.isEmpty || message.type != .response || call.number != nil { return call }
    return numberedCall(answeredBy: message, insteadOf: call) ?? call
  }

  /// The numbered call that a response answers; nil if it answers a call without a number. The host knows only the correlation id, which may
  /// also be that of an earlier call of the page, or of a call of the shim.
  private func numberedCall(answeredBy response: BridgeMessage, insteadOf call: PageCall) -> PageCall? {
    guard let number = numberedCalls[call.id].first else { return nil }
    if openCalls.contains(call.id), call.owner.isMadeByShim || !response.hasShimsID { return nil }
    return PageCall(number: number, owner: owners.others)
  }

  // MARK: Urgent calls

  /// Gives the answer to a call to `take`, since a script of the page waits for it; nil if there will be none.
  package func await(urgent call: CallID, _ take: @escaping UrgentCalls.Taker) {
    urgentCalls.await(call, take)
  }

  /// Stops waiting for an urgent call. Its answer goes over the socket.
  package func giveUp(urgent call: CallID) { urgentCalls.giveUp(call) }

  // MARK: Goodbye

  /// Whether requests of a goodbye wait for earlier ones.
  package var hasWaitingGoodbye: Bool { goodbyes.isWaiting }

  /// Adds a request of the page's goodbye. See ``GoodbyeQueue``.
  ///
  /// - Returns: Whether no more requests may wait for earlier ones.
  package func goodbyeArrived(_ number: Int, first: Int, _ body: [UInt8]) -> Bool {
    goodbyes.arrived(number, first: first, body)
    return goodbyes.isFull
  }

  /// Removes and returns the messages of the goodbye that can be handled now. The page may repeat earlier calls in them.
  ///
  /// - Parameter waitsForMissing: Whether the requests of the goodbye still wait for missing ones.
  package func takeGoodbyes(waitsForMissing: Bool) -> [ArraySlice<UInt8>] {
    delivery.connected()
    let bodies = waitsForMissing ? goodbyes.takeReady() : goodbyes.takeAll()
    return bodies.flatMap { messages(in: $0) }
  }

  /// Splits a sequence of JSON texts (RFC 7464), and leaves out those that are too long.
  package func messages(in body: [UInt8]) -> [ArraySlice<UInt8>] {
    body.split(separator: 0x1E)
      // Without the line break, a text is the same as on the socket. That identifies a repeated call with an id of the page.
      .map { $0.last == 0x0A ? $0.dropLast() : $0 }
      .filter { $0.count <= limits.messageBytes }
  }

  // MARK: After the page's end

  /// Notes that the page has ended. Nothing reaches it any more.
  package func ended() {
    presence.disconnected()
    urgentCalls.giveUp()
    openCalls.end()
    delivery.end()
  }

  /// The part of a page that is remembered after its end: a call may arrive again.
  package struct Departed {
    let calls: KnownCalls
    let answered: AnsweredRequests
    let goodbyes: GoodbyeQueue

    /// Whether requests of the goodbye wait for earlier ones.
    package var isWaiting: Bool { goodbyes.isWaiting }

    init(calls: KnownCalls, answered: AnsweredRequests, goodbyes: GoodbyeQueue) {
      self.calls = calls
      self.answered = answered
      self.goodbyes = goodbyes
    }
  }

  /// Returns the part to remember, with at most this many bytes of answers.
  package func departed(answerByteLimit: Int) -> Departed {
    Departed(calls: delivery.knownCalls(answerByteLimit: answerByteLimit), answered: answered, goodbyes: goodbyes)
  }

  /// Restores the remembered part of a page that had ended and has come back.
  package func remember(_ departed: Departed) {
    delivery.remember(departed.calls)
    answered = departed.answered
    goodbyes = departed.goodbyes
    presence.departed()
  }
}

/// What becomes of a message of the page.
package enum Reception {
  /// Handle it: call ``PageLink/begin(_:_:byteCount:cursor:start:)``, handle the message, and call ``PageLink/endHandling(at:)``.
  case handle(BridgeMessage, PageCall)
  /// A repeated call that is being handled. The answer will come.
  case wait
  /// A repeated call. Its answer goes to the page again.
  case answer(Sent)
  /// A repeated answer. The first one counts.
  case ignore
  /// Refuse it.
  case refuse(BridgeMessage, PageCall, Refusal)
  /// It is not an envelope.
  case unreadable(JSONError)
}
