package import BridgeCore

/// Messages to the page.
extension PageLink {
  /// Writes a message of the host, and stores what the page may need again.
  package func send(_ message: BridgeMessage) -> Sent {
    let call = call(of: message)
    if message.type == .response {
      var writer = JSONWriter()
      writer.bytes.reserveCapacity(message.byteCount)
      message.write(to: &writer, sequence: nil, pageCall: call.number)
      return answered(call, by: message, message.status, writer.bytes)
    }
    let sequence = delivery.nextSequence()
    var writer = JSONWriter()
    writer.bytes.reserveCapacity(message.byteCount)
    message.write(to: &writer, sequence: isResumable ? sequence : nil)
    // Requests to the page and sheets are not stored: the next run of the server sends them again.
    let outlivesServer = message.type == .event && call.owner != .footbridge
    if isFoundAgain {
      delivery.sent(
        sequence, action: message.action, outlivesServer: outlivesServer,
        request: message.type == .request ? message.correlationId : nil, writer.bytes)
    }
    // Before the page's hello, the server does not know what the page has received. The answer to the hello is followed by all numbered
    // messages that the page has missed, in order.
    var sent =
      presence.hasGreeted || !isResumable
      ? route(writer.bytes, .sequence(sequence)) : Sent(text: writer.bytes, way: .none)
    sent.owner = call.owner
    sent.isStored = outlivesServer
    return sent
  }

  /// Writes the answer to a request, and stores it in case the page repeats the request.
  package func answer(_ answer: BridgeAnswer, to request: BridgeMessage, timestamp: Double) -> Sent {
    answered(
      call(of: request), by: request, answer.status, request.text(of: answer, timestamp: timestamp))
  }

  /// How many bytes ``write(_:to:timestamp:into:)`` needs at most; nil if the answer cannot be sent at once.
  package func room(for answer: BridgeAnswer, to request: BridgeMessage) -> Int? {
    isDurable || !urgentCalls.isEmpty || !takesAnswers ? nil : request.room(forAnswer: answer)
  }

  /// Writes the answer to a request into the frame that is sent, without a copy. (Without this, 21 % more instructions for a `query`.)
  ///
  /// - Returns: Its size, and the call that is answered.
  package func write(
    _ answer: BridgeAnswer, to request: BridgeMessage, timestamp: Double,
    into memory: UnsafeMutableBufferPointer<UInt8>
  ) -> (byteCount: Int, answered: AnsweredCall) {
    let call = call(of: request)
    let count = request.write(answer: answer, timestamp: timestamp, into: memory)
    if isResumable {
      delivery.answered(
        call.id, by: request, pageCall: call.number, outlivesServer: tellsOfState(call), Array(memory[..<count]))
    }
    return (count, settle(call, answer.status, request))
  }

  /// Whether the answer to a call tells of the session's stored state.
  private func tellsOfState(_ call: PageCall) -> Bool { call.owner.traits.contains(.tellsOfState) }

  /// Writes the refusal of a repeated call. It is not stored, since it would replace another answer.
  ///
  /// - Returns: nil if the page has left and does not read the refusal.
  package func refuse(
    _ request: BridgeMessage, _ call: PageCall, _ refusal: Refusal, timestamp: Double
  ) -> Sent? {
    let answer = BridgeAnswer(status: .error, error: refusal.error(for: call.owner))
    let sent = route(request.text(of: answer, timestamp: timestamp), .answer(call.id))
    if case .none = sent.way { return nil }
    return sent
  }

  /// `message` is the request or its answer.
  private func answered(
    _ call: PageCall, by message: BridgeMessage, _ status: BridgeResponseStatus?, _ text: [UInt8]
  ) -> Sent {
    let answered = settle(call, status, message)
    if isFoundAgain, !isHello(message, call) {
      delivery.answered(
        call.id, by: message, pageCall: call.number, outlivesServer: tellsOfState(call), text)
    }
    var sent = route(text, .answer(call.id))
    sent.owner = call.owner
    sent.answered = answered
    return sent
  }

  /// Notes the answer to a request. An acknowledged request still needs an answer.
  private func settle(
    _ call: PageCall, _ status: BridgeResponseStatus?, _ message: BridgeMessage
  ) -> AnsweredCall {
    let answered: OpenCalls.Answered?
    if status == .acknowledged {
      answered = openCalls.acknowledged(call.id, action: message.action)
    } else {
      answered = openCalls.answered(call.id)
      if let number = call.number { numberedCalls.answered(CallID(message), number) }
    }
    return AnsweredCall(owner: call.owner, cursor: answered?.cursor, wait: answered?.wait)
  }

  /// Whether messages to the page must be stored in memory, so that they can be sent again or written to the store.
  private var isFoundAgain: Bool { isResumable || isDurable }

  /// Whether answers can be sent. A page that comes back first says hello, then repeats its calls in order. An answer before the hello would
  /// overtake answers that were given while there was no connection.
  private var takesAnswers: Bool { presence.isHeard || !isResumable }

  /// Decides where a text goes.
  func route(_ text: [UInt8], _ origin: PageOutbox.Origin) -> Sent {
    if case .answer(let call) = origin {
      if let take = urgentCalls.take(call) { return Sent(text: text, way: .script(take)) }
      // The page gets the answer when it repeats the call.
      if !takesAnswers { return Sent(text: text, way: .none) }
    }
    guard presence.isConnected else { return Sent(text: text, way: .none) }
    guard isDurable else { return Sent(text: text, way: .socket) }
    outbox.append(PageOutbox.Message(text: text, origin: origin))
    return Sent(text: text, way: .store(endsTurn: !isInTurn))
  }
}

/// A text for the page, and where it goes.
package struct Sent {
  /// Where a text goes.
  package enum Way {
    /// Nowhere: the page has no connection, and gets the text when it comes back.
    case none
    /// Over the socket, now.
    case socket
    /// It waits until the state is stored. If `endsTurn` is true, call ``PageLink/release(isStored:)`` at the end of the present turn: the
    /// text may tell of a change that follows in this turn.
    case store(endsTurn: Bool)
    /// To the script that waits for it.
    case script(UrgentCalls.Taker)
  }

  /// The text.
  package let text: [UInt8]
  /// Where it goes.
  package let way: Way
  /// The owner of the message's action.
  package var owner = ActionOwner.footbridge
  /// The call that the text answers; nil if it is not an answer of the host.
  package var answered: AnsweredCall?
  /// Whether the text must be stored with the session.
  package var isStored = false

  init(text: [UInt8], way: Way) {
    self.text = text
    self.way = way
  }
}

/// A call that has got an answer.
package struct AnsweredCall: Equatable, Sendable {
  /// The owner of its action.
  package let owner: ActionOwner
  /// The cursor of its journal entry; nil if it is not known.
  package let cursor: Int?
  /// How long it has waited; nil if it waits on, or is not known.
  package let wait: CallWait?
}

/// The link and the store.
extension PageLink {
  /// Returns the waiting texts, unless there are unstored changes: a page never learns of a change that could still be lost.
  package func release(isStored: Bool) -> [[UInt8]] {
    if !isDurable || !isStored { return [] }
    delivery.forgetAnswers()
    return outbox.takeAll().map(\.text)
  }

  /// Returns the part of the page to store with the current state.
  package func takeChange() -> PageChange? {
    outbox.cover()
    let change = delivery.takeChange()
    return isResumable ? change : nil
  }

  /// Notes that the taken change is stored. Returns the texts that have waited for it.
  package func changeWasStored() -> [[UInt8]] {
    delivery.changeWasStored()
    return outbox.takeCovered().map(\.text)
  }

  /// Drops the messages that tell of changes that could not be stored.
  ///
  /// - Returns: The answers among them. The caller replaces them.
  package func dropLost(where tellsOfState: (_ action: String) -> Bool) -> [PageChange.Answer] {
    let lost = delivery.undo(where: tellsOfState)
    outbox.drop(
      Set(lost.events.map { .sequence($0.sequence) } + lost.answers.map { .answer(CallID($0.correlationId)) }))
    return lost.answers
  }

  /// Notes that the store was replaced by an empty one.
  package func storeWasReplaced() { delivery.storeWasReplaced() }
}
