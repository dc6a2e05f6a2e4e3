package import BridgeCore
package import BridgeRuntime
package import Essentials
import WebServer

/// One document in one tab. It takes the place of a `WKWebView` and its content.
///
/// A page outlives its socket: if the connection is lost, the page comes back under the same id and continues its calls. A page that has
/// said goodbye, or has not come back in time, has ended. Answers to it are dropped.
@BridgeActor
package final class Page: WebView, BridgePage {
  /// Routes the page's messages.
  package let host: BridgeHost
  /// Whether the embedding program may have its own handlers.
  let runsHostCode: Bool
  /// Whether the host is a subclass, which may override how it receives messages to `gbgBridge`.
  let handsOverRawMessages: Bool
  /// Finds the bridge that an action belongs to.
  let owners: ActionOwners
  let journal: Journal
  let metrics: SessionMetrics
  let clock: SessionClock
  private(set) var connection: WebSocketConnection?
  /// The order of the page's last message among those of all pages. A higher number is later.
  private(set) var lastActivity = 0
  private(set) var handled = HandledMessage()
  /// Whether a message of the page is being handled. Messages to the page go out when this is done.
  private(set) var isHandling = false
  /// Whether there is a store. Messages to the page then wait for it.
  let isDurable: Bool
  private(set) var presence: PagePresence
  /// The page's name in the control API and the journal.
  let name: PageName
  /// The id that the page's shim has chosen; nil for a connection without a shim.
  let shimID: String?
  private(set) var openCalls: OpenCalls
  let messageBounds: MessageBounds

  private(set) var delivery: PageDelivery
  private var outbox = PageOutbox()
  /// The calls whose answers block a script of the page.
  private var urgentCalls = UrgentCalls()
  /// The requests of the page's goodbye.
  private var goodbyes = GoodbyeOrder()
  /// The session that the page belongs to.
  let session: Session
  /// The bridges' parts of the page.
  private(set) var bridges: [any PageBridge] = []
  let state: SessionState
  /// The text of its name.
  package let id: String
  private(set) var shownDocument = PageDocument(nil)
  /// The result of the browser's search for a camera; nil if it has reported none.
  package var camera: CameraDetector.Result?

  /// Creates a page, perhaps from the record of an earlier run of the server.
  init(
    name: PageName,
    shimID: String?,
    record: PageRecord?,
    session: Session
  ) {
    self.name = name
    let id = name.description
    self.id = id
    self.shimID = shimID
    self.session = session
    metrics = session.metrics
    openCalls = OpenCalls(session.limits, session.metrics)
    messageBounds = MessageBounds(session.limits)
    state = session.state
    isDurable = session.state.isDurable
    journal = session.journal
    clock = session.clock
    presence = PagePresence(isKnown: record != nil)
    delivery =
      record.map { PageDelivery(pageID: shimID ?? id, $0) }
      ?? PageDelivery(pageID: shimID ?? id, isDurable: isDurable)
    owners = session.bridgeTable.owners
    let options = session.options
    host = options.makeHost(for: session, hostVersion: session.bridgeTable.hostVersion)
    runsHostCode = options.haveHostCode
    handsOverRawMessages = type(of: host) != BridgeHost.self
    super.init()
    host.serve(self, clock: session.clock, random: session.random)
  }

  /// The part of the bridge whose messages the page writes itself; nil if there is none.
  private(set) var receiverOfPosts: (any PageBridge)?

  /// Creates the bridges' parts of the page.
  func makeBridges() {
    for (definition, bridge) in zip(session.bridgeTable.definitions, session.bridges) {
      guard let part = bridge.makePage(self) else { continue }
      bridges.append(part)
      if !definition.messages.contains(.madeByShim) { receiverOfPosts = part }
    }
    host.servedFamilies =
      bridges.map { $0 as any BridgeHandlerFamily } + [session.sheetAnswers, PageObservations(self)]
  }

  // MARK: The socket

  /// Takes a new socket of the page, in place of an older one.
  func connected(_ connection: WebSocketConnection) {
    self.connection?.onClose = nil
    self.connection?.close(.normalClosure, reason: "The page has opened another connection.")
    self.connection = connection
    delivery.connected()
    presence.connectionChanged()
    // After its hello, the page gets missed messages again, and repeats its calls.
    outbox.removeAll()
    // The connection holds the page until it closes.
    connection.onMessage = { [self] message in
      presence.heard()
      handle { received(message) }
    }
    let opened = ObjectIdentifier(connection)
    connection.onClose = { [self] code in
      guard self.connection.map(ObjectIdentifier.init) == opened else { return }
      self.connection = nil
      presence.connectionChanged()
      session.lostConnection(of: self, isFinal: !isResumable || presence.hasLeft || code == .goingAway)
    }
  }

  /// Handles input of the page. Messages to the page are sent afterwards.
  func handle(_ body: () -> Void) {
    isHandling = true
    body()
    isHandling = false
    release()
  }

  /// Notes that the page has sent a message.
  func noteActivity() {
    Self.activityCount += 1
    lastActivity = Self.activityCount
  }

  /// The number of messages of all pages so far.
  private static var activityCount = 0

  // MARK: Calls

  /// Begins to handle a message of the page.
  ///
  /// - Parameters:
  ///   - byteCount: The size of a request, which waits for an answer from now on; nil for another message.
  ///   - cursor: The cursor of the message's journal entry.
  func beginHandling(_ message: BridgeMessage, _ call: PageCall, requestByteCount byteCount: Int?, cursor: Int?) {
    if let byteCount { openCalls.begin(call.id, byteCount: byteCount, cursor: cursor) }
    handled.begin(message.identity, call, cursor: cursor)
  }

  /// Notes that the message was handled. If it was a request without an answer, the answer comes later.
  func endHandling() {
    handled.end()
    openCalls.finishHandling()
  }

  /// Decides whether a request is new or repeated.
  func requestAction(
    for message: BridgeMessage, _ call: PageCall, text: UnsafeBufferPointer<UInt8>
  ) -> PageDelivery.RequestAction {
    call.owner.isMadeByShim
      ? message.withCorrelationId { delivery.request(call.id, $0) } : delivery.pageRequest(call.id, text)
  }

  /// Notes the answer to a request.
  ///
  /// - Returns: The cursor of the request's journal entry. An acknowledged request still needs an answer.
  func cause(ofAnswerTo message: BridgeMessage, _ call: CallID, status: BridgeResponseStatus?) -> Int? {
    status == .acknowledged ? openCalls.acknowledged(call, action: message.action) : openCalls.answered(call)
  }

  /// Keeps the text of an answer, in case the page repeats its request.
  func keepAnswer(_ text: [UInt8], to message: BridgeMessage, _ call: CallID) {
    delivery.answered(call, by: message, text)
  }

  /// Calls `take` with the answer to a call that a script of the page waits for; with nil if there will be none.
  func awaitAnswer(toUrgent call: CallID, _ take: @escaping UrgentCalls.Taker) { urgentCalls.await(call, take) }

  /// Stops waiting for an urgent call. Its answer goes over the socket.
  func giveUp(urgent call: CallID) { urgentCalls.giveUp(call) }

  // MARK: Hello and goodbye

  /// Notes the page's hello.
  ///
  /// - Returns: Whether it is the page's first one.
  func noteHello(isEmbedded: Bool) -> Bool { presence.greeted(isEmbedded: isEmbedded) }

  /// Notes that the page has received everything up to `sequence`, and returns the texts that it has missed.
  func resume(after sequence: Int) -> [(sequence: Int, text: [UInt8])] { delivery.resume(after: sequence) }

  /// Notes that the journal says that the page is open.
  func noteOpened() { presence.notedAsOpen() }

  /// Whether requests of a goodbye wait for earlier ones.
  var hasWaitingGoodbye: Bool { goodbyes.isWaiting }

  /// Adds a request of the page's goodbye. See ``GoodbyeOrder``.
  ///
  /// - Returns: Whether no more requests may wait for earlier ones.
  func goodbyeArrived(_ number: Int, first: Int, _ body: [UInt8]) -> Bool {
    goodbyes.arrived(number, first: first, body)
    return goodbyes.isFull
  }

  /// Removes and returns the requests of the goodbye that can run now. The page may repeat earlier calls in them.
  func takeGoodbyes(waitsForMissing: Bool) -> [[UInt8]] {
    delivery.connected()
    return waitsForMissing ? goodbyes.takeReady() : goodbyes.takeAll()
  }

  /// The part of the page that is remembered after its end.
  var departed: DepartedPages.Page {
    DepartedPages.Page(
      name: name, document: document, calls: delivery.knownCalls(answerByteLimit: DepartedPages.answerByteLimit),
      goodbyes: goodbyes)
  }

  /// Restores the remembered part of a page that had ended and has come back.
  func rememberBeing(_ departed: DepartedPages.Page) {
    delivery.remember(departed.calls)
    goodbyes = departed.goodbyes
    presence.left()
  }

  // MARK: The store

  /// Sends the waiting messages, unless there are unstored changes: a page never learns of a change that could still be lost.
  func release() {
    if !isDurable || state.isUnkept { return }
    delivery.forgetAnswers()
    send(outbox.takeAll())
  }

  /// Returns the part of the page to store with the current state.
  func takeChange() -> PageChange? {
    outbox.cover()
    let change = delivery.takeChange()
    return isResumable ? change : nil
  }

  /// Sends the messages that have waited for the taken change, which is stored now.
  func changeWasKept() {
    delivery.changeWasKept()
    send(outbox.takeCovered())
    release()
  }

  /// Drops the messages that tell of changes that could not be stored.
  ///
  /// - Returns: The answers among them. The caller replaces them.
  func dropLost() -> [PageChange.Answer] {
    let lost = delivery.undo(where: session.bridgeTable.tellsOfState)
    outbox.drop(
      Set(lost.events.map { .sequence($0.sequence) } + lost.answers.map { .answer(CallID($0.correlationId)) }))
    return lost.answers
  }

  /// Notes that the store was replaced by an empty one.
  func storeWasReplaced() { delivery.storeWasReplaced() }

  // MARK: The document

  /// Notes the document of the page.
  func show(_ document: PageDocument) {
    shownDocument = document
  }

  /// Returns the warning about the page's document, once; nil if there is none.
  func takeWarning() -> String? { shownDocument.takeWarning() }

  // MARK: Its end

  /// Ends the page.
  func end(_ code: WebSocketCloseCode, reason: String) {
    host.detach(served: self)
    connection?.close(code, reason: reason)
    connection = nil
    letGo()
  }

  /// Ends the page here, since it continues on another server, where it opens its socket.
  func leaveToOthers() {
    connection?.onMessage = nil
    connection?.onClose = nil
    connection?.close(.goingAway, reason: "The session has moved to another server.")
    connection = nil
    letGo()
  }

  /// Releases the page's host and bridges.
  func letGo() {
    urgentCalls.giveUp()
    host.release(served: self)
    bridges = []
    receiverOfPosts = nil
  }

  package override func handling(_ message: BridgeMessage, _ handle: () -> Void) {
    guard let cursor = handled.cursor else { return handle() }
    Journal.$cause.withValue(cursor) {
      if call(of: message).owner.isMadeByShim { return handle() }
      let unhandledCount = host.unhandledRequestCount
      if runsHostCode {
        session.runHostCode { handleWithCamera(handle) }
      } else {
        handleWithCamera(handle)
      }
      if host.unhandledRequestCount > unhandledCount {
        openCalls.isUnhandled()
        session.noteUnanswered("Nothing handles \(message.action). It waits for an answer from a test.")
      }
    }
  }

  // MARK: To the page

  /// Makes the browser open a web address.
  package override func load(_ url: URL) -> WebViewNavigation? {
    let navigation = super.load(url)
    if let scheme = url.scheme?.lowercased(), scheme == "http" || scheme == "https" {
      let siteOrigin = session.options.siteOrigin
      let address = document?.servedAddress(url.absoluteString, siteOrigin: siteOrigin) ?? url.absoluteString
      host.send(event: FootbridgeAction.load, data: ["url": .string(address)])
    }
    return navigation
  }

  package override func deliver(_ message: BridgeMessage, sequenced: Bool) {
    if sequenced {
      if mayBeDecided(message) { decide(callback: message) } else { send(sequenced: message) }
    } else {
      send(message, sequence: nil)
    }
  }

  /// Sends a text at once, or after the current changes are stored.
  func send(_ text: [UInt8], _ origin: PageOutbox.Origin) {
    if case .answer(let call) = origin {
      if urgentCalls.answered(call, text) { return }
      // The page gets the answer when it repeats the call.
      if !takesAnswers { return }
    }
    guard let connection else { return }
    metrics.sentMessages &+= 1
    guard isDurable else { return text.withUnsafeBufferPointer(connection.sendText) }
    outbox.append(PageOutbox.Message(text: text, origin: origin))
    // The text may tell of a change that follows in the same turn, so wait for the end of the turn.
    if !isHandling { session.releaseAfterTurn() }
  }

  private func send(_ messages: [PageOutbox.Message]) {
    for message in messages { message.text.withUnsafeBufferPointer { connection?.sendText($0) } }
  }

  /// Returns the sequence number for the next event, or request to the page.
  func nextSequence() -> Int { delivery.nextSequence() }

  /// Keeps an event, or a request to the page, until the page has confirmed it.
  func keepSent(_ sequence: Int, action: String, outlivesServer: Bool, _ text: [UInt8]) {
    delivery.sent(sequence, action: action, outlivesServer: outlivesServer, text)
  }

  package override func deliver(_ answer: BridgeAnswer, to request: BridgeMessage, timestamp: Double) {
    let call = call(of: request)
    if let connection, connection.isOpen, !isDurable, urgentCalls.isEmpty, takesAnswers,
      let room = request.room(forAnswer: answer)
    {
      metrics.sentMessages &+= 1
      let cause = cause(ofAnswerTo: request, call.id, status: answer.status)
      var kept: [UInt8]?
      // Writes into the frame that is sent, without a copy. (Without this, 21 % more instructions for a `query`.)
      connection.sendText(upTo: room) { memory in
        let count = request.write(answer: answer, timestamp: timestamp, into: memory)
        let text = UnsafeBufferPointer(rebasing: memory[..<count])
        if isResumable { kept = Array(text) }
        note(.response, text, of: call.owner, timestamp: timestamp, cause: cause) {
          BridgeMessage(answer, to: request, timestamp: timestamp)
        }
        return count
      }
      if let kept { delivery.answered(call.id, by: request, kept) }
      return
    }
    let text = request.text(of: answer, timestamp: timestamp)
    sendAnswer(text, to: request, call, status: answer.status, timestamp: timestamp) {
      BridgeMessage(answer, to: request, timestamp: timestamp)
    }
  }
}
