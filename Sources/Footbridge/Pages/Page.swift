import BridgeCore
import BridgeRuntime
import Onside
import WebServer

/// One document in one tab: the stand-in for one `WKWebView` and its content.
///
/// It outlives its socket: a page that lost the connection comes back under the same id and finds its calls where they were. A page that
/// said goodbye, or did not come back in time, has ended: answers meant for it are dropped.
@BridgeActor
final class Page: WebView {
  /// What the control API and the journal call the page: unique in its session, and the same when the same happens again.
  let id: String
  /// The id that the page's shim gave itself; nil for a connection without a shim.
  let shimID: String?
  /// Routes the page's messages.
  let host: BridgeHost
  /// The document as the server served it; nil when the page came without a ticket, or has not come back yet.
  var document: ServedDocument?
  /// What the page's browser says of its camera; nil while it has said nothing.
  var camera: CameraDetector.Result?
  /// The session that the page belongs to.
  private(set) weak var session: Session?

  private var connection: WebSocketConnection?
  private var delivery: PageDelivery
  private var outbox = PageOutbox()
  private var openCalls: OpenCalls
  private let state: SessionState
  private let journal: Journal
  /// Whether a message of the page is being handled: what is sent meanwhile goes out when that is done.
  private var isHandling = false
  private var hasGreeted = false
  /// Whether the page has said hello before, so that its count of received messages is one of ours.
  private var isKnown: Bool

  /// Opens a page, or one that an earlier run of the server has left a record of.
  init(
    id: String,
    shimID: String?,
    record: PageRecord?,
    session: Session,
    hostVersion: String
  ) {
    self.id = id
    self.shimID = shimID
    self.session = session
    openCalls = OpenCalls(session.limits)
    state = session.state
    journal = session.journal
    isKnown = record != nil
    delivery =
      record.map { PageDelivery(pageID: shimID ?? id, $0) }
      ?? PageDelivery(pageID: shimID ?? id, isDurable: session.state.isDurable)
    host = BridgeHost(hostVersion: hostVersion, clock: session.clock, random: session.random)
    super.init()
    host.attach(webView: self)
  }

  /// Whether a socket is open and the page has said hello on it, so that it hears of what happens.
  var isListening: Bool { connection != nil && hasGreeted }

  /// Whether the page can come back after it has lost its socket.
  private var isResumable: Bool { shimID != nil }

  /// Whether what the page is sent must be found again: to be sent once more, or to be written down.
  private var isFoundAgain: Bool { isResumable || state.isDurable }

  // MARK: The socket

  /// A socket of this page was opened. An older one is closed: there is one at a time.
  func connected(_ connection: WebSocketConnection) {
    self.connection?.onClose = nil
    self.connection?.close(.normalClosure, reason: "The page has opened another connection.")
    self.connection = connection
    delivery.connected()
    hasGreeted = false
    // What waited for the lost connection is sent again after the hello, or asked for again.
    outbox.removeAll()
    connection.onMessage = { [weak self] message in
      guard let self else { return }
      isHandling = true
      received(message)
      isHandling = false
      release()
    }
    connection.onClose = { [weak self, weak connection] code in
      guard let self, self.connection === connection else { return }
      self.connection = nil
      hasGreeted = false
      session?.lostConnection(of: self, isFinal: !isResumable || code == .goingAway)
    }
  }

  /// Cuts the page's socket without a word, as a bad line does. The page comes back and finds its calls where they were. False when it has
  /// no socket.
  @discardableResult
  func cutSocket() -> Bool {
    connection?.cut()
    return connection != nil
  }

  /// The page has gone for good.
  func end(_ code: WebSocketCloseCode, reason: String) {
    host.detach()
    connection?.close(code, reason: reason)
    connection = nil
  }

  private func received(_ message: WebSocketMessage) {
    guard message.kind == .text else {
      connection?.close(.unsupportedData, reason: "Messages are text.")
      return
    }
    do throws(JSONError) {
      received(try BridgeMessage(parsing: message.bytes), text: message.bytes)
    } catch {
      host.lastError = "A message from the page is no envelope: \(error)."
      journal.append(.decision, page: id, action: "refused", note: "A message is no envelope: \(error).")
      session?.noteUnanswered("A message is no envelope: \(error).")
      host.send(event: "footbridge.error", data: ["message": .string("This message is no envelope: \(error).")])
    }
  }

  private func received(_ message: BridgeMessage, text: UnsafeBufferPointer<UInt8>) {
    session?.wasActive(self)
    let owner = FootbridgeAction.owner(of: message.action)
    let isRequest = message.type == .request
    let isHello = message.action == FootbridgeAction.hello
    // A hello is of its connection: it never comes again.
    if isResumable, isRequest, !isHello {
      switch owner.isOwn ? delivery.request(message.correlationId) : delivery.pageRequest(message.correlationId, text) {
      case .handle: break
      case .wait: return
      case .answer(let text): return send(text, .answer(correlationId: message.correlationId))
      }
    }
    if isRequest, !openCalls.hasRoom(forByteCount: text.count) { return refuse(message, of: owner) }
    let cursor = note(received: message, of: owner, text: text)
    if isRequest { openCalls.begin(message.correlationId, byteCount: text.count, cursor: cursor) }
    if let cursor {
      Journal.$cause.withValue(cursor) { handle(message, of: owner) }
    } else if isHello {
      greeted(message)
    } else {
      handle(message, of: owner)
    }
    openCalls.finishHandling()
  }

  /// Answers a call that is one too many.
  private func refuse(_ message: BridgeMessage, of owner: FootbridgeAction.Owner) {
    session?.onBound?("A page has more calls without an answer than it may have; further ones are refused.")
    let error = BridgeErrorPayload(
      code: owner.isOwn ? "bridge.brokenRequest" : "BUSY",
      message: "Too many calls of this page wait for an answer.",
      recoverable: true
    )
    host.respond(to: message.correlationId, action: message.action, status: .error, error: error)
  }

  /// Adds a message of the page to the journal; nil for what is Footbridge's own.
  private func note(
    received message: BridgeMessage, of owner: FootbridgeAction.Owner, text: UnsafeBufferPointer<UInt8>
  ) -> Int? {
    guard owner != .footbridge else { return nil }
    let kind: JournalEntry.Kind =
      switch message.type {
      case .request: .request
      case .response: .pageResponse
      case .event: .pageEvent
      }
    return journal.append(kind, page: id, message, of: owner, text: text)
  }

  private func note(sent message: BridgeMessage, of owner: FootbridgeAction.Owner, text: [UInt8], cause: Int?) {
    guard owner != .footbridge else { return }
    let kind: JournalEntry.Kind =
      switch message.type {
      case .request: .hostRequest
      case .response: .response
      case .event: .event
      }
    text.withUnsafeBufferPointer { _ = journal.append(kind, page: id, message, of: owner, text: $0, cause: cause) }
  }

  private func handle(_ message: BridgeMessage, of owner: FootbridgeAction.Owner) {
    if owner.isOwn { return host.receive(message) }
    let unhandledCount = host.unhandledRequestCount
    // Host code that looks for a camera finds the browser's.
    if let camera {
      CameraDetector.$camera.withValue(camera) { host.receive(message) }
    } else {
      host.receive(message)
    }
    if host.unhandledRequestCount > unhandledCount {
      session?.noteUnanswered("Nothing handles \(message.action): it waits to be answered by hand.")
    }
  }

  // MARK: To the page

  override func deliver(_ message: BridgeMessage, sequenced: Bool) {
    let action = message.action
    let owner = FootbridgeAction.owner(of: action)
    let cause = message.type == .response ? cursor(answeredBy: message) : nil
    let sequence = sequenced ? delivery.nextSequence() : nil
    var writer = JSONWriter()
    writer.bytes.reserveCapacity(message.byteCount)
    message.write(to: &writer, sequence: isResumable ? sequence : nil)
    if let sequence {
      // Questions are asked anew by the next run of the server, and sheets are presented anew.
      let outlivesServer = message.type == .event && owner != .footbridge
      if isFoundAgain { delivery.sent(sequence, action: action, outlivesServer: outlivesServer, writer.bytes) }
      if outlivesServer { state.changed() }
      // Before the page's hello it is not known what it has: everything that has a sequence then goes out, in order, with the answer.
      if hasGreeted || !isResumable { send(writer.bytes, .sequence(sequence)) }
    } else {
      let correlationID = message.correlationId
      if isFoundAgain, action != FootbridgeAction.hello {
        delivery.answered(correlationID, action: action, writer.bytes)
      }
      send(writer.bytes, .answer(correlationId: correlationID))
    }
    note(sent: message, of: owner, text: writer.bytes, cause: cause)
  }

  /// Where the journal has the request that `response` answers. What is acknowledged is still to be answered.
  private func cursor(answeredBy response: BridgeMessage) -> Int? {
    if response.status == .acknowledged {
      return openCalls.acknowledged(response.correlationId, action: response.action)
    }
    return openCalls.answered(response.correlationId)
  }

  /// The action of a request that was acknowledged and whose result is still to come.
  func acknowledgedAction(of correlationID: String) -> String? { openCalls.acknowledgedAction(of: correlationID) }

  private func send(_ text: [UInt8], _ origin: PageOutbox.Origin) {
    guard let connection else { return }
    guard state.isDurable else { return connection.sendText { $0.append(contentsOf: text) } }
    outbox.append(PageOutbox.Message(text: text, origin: origin))
    // What is sent may come before the change that it tells of, in the same turn.
    if !isHandling { session?.releaseAfterTurn() }
  }

  private func greeted(_ hello: BridgeMessage) {
    let data = hello.payload.data ?? [:]
    let received = isKnown ? data["received"]?.numberValue.flatMap { Int(exactly: $0) } ?? 0 : 0
    let missed = delivery.resume(after: received)
    host.respond(
      to: hello.correlationId,
      action: hello.action,
      status: .success,
      data: session?.answerToHello(data, of: self, resumed: isKnown) ?? [:]
    )
    hasGreeted = true
    isKnown = true
    for (sequence, text) in missed { send(text, .sequence(sequence)) }
    session?.greeted(self)
  }

  // MARK: The store

  /// Sends what waits, unless something has changed: a page hears of nothing that could still be lost.
  func release() {
    if state.isUnkept { return }
    delivery.forgetAnswers()
    send(outbox.takeAll())
  }

  /// What is to be kept of the page with the state as it is now.
  func takeJournal() -> PageJournal? {
    outbox.cover()
    let journal = delivery.takeJournal()
    return isResumable ? journal : nil
  }

  /// What was taken is kept: sends what waited for that.
  func journalWasKept() {
    delivery.journalWasKept()
    send(outbox.takeCovered())
    release()
  }

  /// What has happened since could not be kept. The page does not hear of it, and the calls that it comes from fail.
  func undo() {
    let lost = delivery.undo(where: FootbridgeAction.tellsOfState)
    outbox.drop(
      Set(lost.events.map { .sequence($0.sequence) } + lost.answers.map { .answer(correlationId: $0.correlationId) })
    )
    for answer in lost.answers {
      guard let call = OnsideCall(rawValue: String(answer.action.trimmingPrefix("onside."))) else { continue }
      let error = BridgeErrorPayload(
        code: call.unkeptErrorCase,
        message: "\(call.rawValue) had no effect: the server cannot write to its state directory. Its log says why.",
        recoverable: true
      )
      host.respond(to: answer.correlationId, action: answer.action, status: .error, error: error)
    }
  }

  private func send(_ texts: [[UInt8]]) {
    for text in texts { connection?.sendText { $0.append(contentsOf: text) } }
  }
}
