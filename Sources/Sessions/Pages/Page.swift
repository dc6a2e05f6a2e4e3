package import BridgeCore
package import BridgeRuntime
package import Essentials
import WebServer

/// One document in one tab: the stand-in for one `WKWebView` and its content.
///
/// It outlives its socket. A page that has lost its connection comes back under the same id and finds its calls where they were. A page
/// that said goodbye, or did not come back in time, has ended. Answers to it are dropped.
@BridgeActor
package final class Page: WebView, BridgePage {
  // The fields that each message needs come first, together. With many pages, they are in no cache of the processor.
  /// Routes the page's messages.
  package let host: BridgeHost
  /// Whether the program may have its own handlers.
  let runsHostCode: Bool
  /// Whether the host is a subclass, which may override how it receives messages to `gbgBridge`.
  let handsOverRawMessages: Bool
  /// Finds the bridge that an action belongs to.
  let owners: ActionOwners
  let journal: Journal
  let metrics: SessionMetrics
  let clock: SessionClock
  private(set) var connection: WebSocketConnection?
  /// When the page has last sent something. A higher number is later, across all pages.
  private(set) var lastActivity = 0
  var handled = HandledMessage()
  /// Whether a message of the page is being handled. Messages to the page go out when this is done.
  private(set) var isHandling = false
  /// Whether there is a store. Messages to the page then wait for it.
  let isDurable: Bool
  var presence: PagePresence
  /// The page's name in the control API and the journal.
  let name: PageName
  /// The id that the page's shim has chosen; nil for a connection without a shim.
  let shimID: String?
  var openCalls: OpenCalls
  let messageBounds: MessageBounds

  var delivery: PageDelivery
  var outbox = PageOutbox()
  /// The calls whose answers the page cannot go on without.
  var urgentCalls = UrgentCalls()
  /// The page's goodbye.
  var goodbyes = GoodbyeOrder()
  /// The session that the page belongs to.
  let session: Session
  /// The bridges' parts of the page.
  private(set) var bridges: [any PageBridge] = []
  let state: SessionState
  /// The text of its name.
  package let id: String
  private var shownDocument = PageDocument(nil)
  /// What the page's browser reports about its camera; nil if it has reported nothing.
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

  /// The part of the bridge whose messages the page makes itself; nil if there is none.
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

  /// Whether a socket is open and the page has said hello on it, so that it receives events.
  package var isListening: Bool { connection != nil && presence.hasGreeted }

  /// Whether the page has ever said hello.
  package var hasSaidHello: Bool { presence.isKnown }

  /// Whether the page can come back after it has lost its socket.
  var isResumable: Bool { shimID != nil }

  /// Whether answers can go out. A page that comes back repeats its calls after its hello, in order. An answer before that would overtake
  /// those that were given while there was no connection.
  var takesAnswers: Bool { presence.isHeard || !isResumable }

  /// Whether messages to the page must be kept, to send or to store them again.
  var isFoundAgain: Bool { isResumable || isDurable }

  // MARK: The socket

  /// A socket of this page has opened. It replaces an older one.
  func connected(_ connection: WebSocketConnection) {
    self.connection?.onClose = nil
    self.connection?.close(.normalClosure, reason: "The page has opened another connection.")
    self.connection = connection
    delivery.connected()
    presence.connectionChanged()
    // Messages that waited for the lost connection are sent again after the hello, or the page asks again.
    outbox.removeAll()
    // The connection releases the page when it closes.
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

  /// Handles something from the page. Messages to the page go out afterwards.
  func handle(_ body: () -> Void) {
    isHandling = true
    body()
    isHandling = false
    release()
  }

  /// Notes that the page sends something.
  func noteActivity() {
    Self.activityCount += 1
    lastActivity = Self.activityCount
  }

  /// How many times pages have sent something, all together.
  private static var activityCount = 0

  // MARK: The document

  /// Notes the document with which the page has come.
  func show(_ document: PageDocument) {
    shownDocument = document
  }

  /// The document as the server served it; nil if the page came without a good ticket, or has not come back yet.
  package var document: ServedDocument? { shownDocument.served }

  /// The document's URL in production, as the server served it; nil if the server has not served it.
  package var siteURL: URL? { document?.siteURL(siteOrigin: session.options.siteOrigin) }

  /// Why the document is not known to be that of a tab; nil for a main frame.
  package var reasonAgainstMainFrame: String? { shownDocument.reasonAgainstMainFrame }

  /// The warning about the page's document, once.
  func takeWarning() -> String? { shownDocument.takeWarning() }

  // MARK: Its end

  /// Closes the page's socket without a closing handshake, like a bad line. The page comes back and finds its calls where they were.
  /// Returns false if it has no socket.
  @discardableResult
  package func cutSocket() -> Bool {
    connection?.cut()
    return connection != nil
  }

  /// The page has ended.
  func end(_ code: WebSocketCloseCode, reason: String) {
    host.detach(served: self)
    connection?.close(code, reason: reason)
    connection = nil
    letGo()
  }

  /// Another server goes on with the page, which opens its socket there.
  func leaveToOthers() {
    connection?.onMessage = nil
    connection?.onClose = nil
    connection?.close(.goingAway, reason: "The session has moved to another server.")
    connection = nil
    letGo()
  }

  /// Releases everything that the page owns.
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

  /// Runs a handler. Host code that looks for a camera finds the browser's.
  private func handleWithCamera(_ handle: () -> Void) {
    if let camera { CameraDetector.$camera.withValue(camera, operation: handle) } else { handle() }
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

  /// Sends an event, or a request to the page.
  func send(sequenced message: BridgeMessage) { send(message, sequence: delivery.nextSequence()) }

  private func send(_ message: BridgeMessage, sequence: Int?) {
    let call = call(of: message)
    var writer = JSONWriter()
    writer.bytes.reserveCapacity(message.byteCount)
    message.write(to: &writer, sequence: isResumable ? sequence : nil)
    guard let sequence else {
      return sendAnswer(writer.bytes, to: message, call, status: message.status, timestamp: message.timestamp) {
        message
      }
    }
    // The next run of the server asks its questions and presents sheets again.
    let outlivesServer = message.type == .event && call.owner != .footbridge
    if isFoundAgain {
      delivery.sent(sequence, action: message.action, outlivesServer: outlivesServer, writer.bytes)
    }
    if outlivesServer { state.changed() }
    // Before the page's hello, it is unknown what the page has. Everything with a sequence number then goes out, in order, with the answer.
    if presence.hasGreeted || !isResumable { send(writer.bytes, .sequence(sequence)) }
    writer.bytes.withUnsafeBufferPointer { text in
      let kind: JournalEntry.Kind = message.type == .event ? .event : .hostRequest
      note(kind, text, of: call.owner, timestamp: message.timestamp, cause: nil) { message }
    }
  }

  package override func deliver(_ answer: BridgeAnswer, to request: BridgeMessage, timestamp: Double) {
    let call = call(of: request)
    if let connection, connection.isOpen, !isDurable, urgentCalls.isEmpty, takesAnswers,
      let room = request.room(forAnswer: answer)
    {
      metrics.sentMessages &+= 1
      let cause = cause(ofAnswerTo: request, call.id, status: answer.status)
      var kept: [UInt8]?
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
    var writer = JSONWriter()
    request.write(answer: answer, timestamp: timestamp, to: &writer)
    sendAnswer(writer.bytes, to: request, call, status: answer.status, timestamp: timestamp) {
      BridgeMessage(answer, to: request, timestamp: timestamp)
    }
  }
}
