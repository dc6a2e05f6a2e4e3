package import BridgeCore
package import BridgeRuntime
import Delivery
package import Essentials
import WebServer

/// One document in one tab. It takes the place of a `WKWebView` and its content.
///
/// A page outlives its socket: if the connection is lost, the page comes back under the same id and continues its calls. A page that has
/// said goodbye, or has not come back in time, has ended. Answers to it are dropped.
///
/// ``PageLink`` decides what becomes of each message. The page does it: it hands messages to its host, and texts to the socket.
@BridgeActor
package final class Page: WebView, BridgePage {
  /// The page's name in the control API and the journal.
  nonisolated let name: PageName
  /// The session that the page belongs to.
  let session: Session
  /// Routes the page's messages.
  package let host: BridgeHost
  /// The messages between page and host.
  let link: PageLink
  private(set) var connection: WebSocketConnection?
  /// The bridges' parts of the page.
  private(set) var parts = PageParts()
  /// The order of the page's last message among those of all pages. A higher number is later.
  private(set) var lastActivity = 0
  /// The document of the page.
  var shownDocument = PageDocument(nil)
  /// The title of the document, as the page has last told it; nil if it has none.
  package private(set) var title: String?
  /// Whether the journal has an entry that the page was opened.
  var isNotedAsOpen = false
  /// Whether the page has the script that has it notice its device.
  var hasDeviceScript: Bool
  /// What was noted about the page before.
  var remarks = FirstTimes()

  /// Creates a page, perhaps from the record of an earlier run of the server.
  init(name: PageName, shimID: String?, record: PageRecord?, session: Session) {
    self.name = name
    self.session = session
    hasDeviceScript = session.hasDevice
    link = PageLink(
      id: name.description, shimID: shimID, record: record, owners: session.bridgeTable.owners,
      limits: LinkLimits(session.limits), space: session.space, isDurable: session.state.isDurable)
    host = session.options.makeHost(for: session, hostVersion: session.bridgeTable.hostVersion)
    super.init()
    host.serve(self, clock: session.clock, random: session.random)
    if session.options.haveHostCode {
      host.surroundings = { [weak session] body in
        if let session { session.runHostCode(body) } else { body() }
      }
    }
  }

  /// Creates the bridges' parts of the page.
  func makeBridges() {
    parts = PageParts(of: self)
    host.servedFamilies =
      parts.all.map { $0 as any BridgeHandlerFamily } + [session.sheetAnswers, PageObservations(self)]
  }

  /// The text of its name.
  package nonisolated var id: String { name.description }
  /// The id that the page's shim has chosen; nil for a connection without a shim.
  var shimID: String? { link.shimID }
  /// The bridges' parts of the page.
  var bridges: [any PageBridge] { parts.all }

  // MARK: The socket

  /// Takes a new socket of the page, in place of an older one.
  ///
  /// - Parameter closesEarly: Whether the browser closes the socket as soon as a navigation begins, even if the page stays.
  func connected(_ connection: WebSocketConnection, closesEarly: Bool = false) {
    self.connection?.onClose = nil
    self.connection?.close(.normalClosure, reason: "The page has opened another connection.")
    self.connection = connection
    link.connected()
    // The connection holds the page until it closes.
    connection.onMessage = { [self] message in received(message) }
    let opened = ObjectIdentifier(connection)
    connection.onClose = { [self] code in
      guard self.connection.map(ObjectIdentifier.init) == opened else { return }
      self.connection = nil
      link.disconnected()
      if code == .pageIsCached { link.cached() }
      // Browsers close the sockets of pages that they leave with 1001. Firefox also closes those of pages that then stay.
      let isEarly = closesEarly && code == .goingAway
      let leaves = code == .pageHasLeft || code == .goingAway && !isEarly
      session.lostConnection(of: self, isFinal: link.endsWithConnection || leaves, isEarly: isEarly)
    }
  }

  /// Closes the page's socket without a closing handshake, as if the network had failed. The page comes back and continues its calls. Returns
  /// false if it has no socket.
  @discardableResult
  package func cutSocket() -> Bool {
    connection?.cut()
    return connection != nil
  }

  /// Whether a socket is open and the page has said hello on it, so that it receives events.
  package var isListening: Bool { link.isListening }

  /// Whether the page has ever said hello.
  package var hasSaidHello: Bool { link.isKnown }

  /// Takes the title that the page tells. It is a text of the page, of any content, and shortened here.
  func take(title: JSONValue?) {
    let text = (title?.stringValue ?? "").unicodeScalars.prefix(Self.longestTitle)
    self.title = text.isEmpty ? nil : String(String.UnicodeScalarView(text))
  }

  private static let longestTitle = 200

  /// Handles input of the page. Messages to the page are sent afterwards.
  func handle(isFromSocket: Bool = false, _ body: () -> Void) {
    link.beginTurn(isFromSocket: isFromSocket)
    body()
    link.endTurn()
    if link.isDurable { release() }
  }

  /// Notes that the page has sent a message.
  func noteActivity() {
    Self.activityCount += 1
    lastActivity = Self.activityCount
  }

  /// The number of messages of all pages so far.
  private static var activityCount = 0

  // MARK: To the page

  /// Makes the browser open a web address.
  package override func load(_ url: URL) -> WebViewNavigation? {
    let navigation = super.load(url)
    if let scheme = url.scheme?.lowercased(), scheme == "http" || scheme == "https" {
      let siteOrigin = session.options.siteAddress
      let address = document?.servedAddress(url.absoluteString, siteOrigin: siteOrigin) ?? url.absoluteString
      host.send(event: FootbridgeAction.load, data: ["url": .string(address)])
    }
    return navigation
  }

  package override func deliver(_ message: BridgeMessage, sequenced: Bool) {
    if sequenced, mayBeDecided(message) { decide(callback: message) } else { send(message) }
  }

  package override func deliver(_ answer: BridgeAnswer, to request: BridgeMessage, timestamp: Double) {
    if let connection, connection.isOpen, let room = link.room(for: answer, to: request) {
      session.metrics.sentMessages &+= 1
      connection.sendText(upTo: room) { memory in
        let (count, answered) = link.write(answer, to: request, timestamp: timestamp, into: memory)
        note(answered, UnsafeBufferPointer(rebasing: memory[..<count]), timestamp: timestamp) {
          BridgeMessage(answer, to: request, timestamp: timestamp)
        }
        return count
      }
      return
    }
    carryOut(link.answer(answer, to: request, timestamp: timestamp), timestamp: timestamp) {
      BridgeMessage(answer, to: request, timestamp: timestamp)
    }
  }

  /// Sends a message of the host.
  func send(_ message: BridgeMessage) {
    let sent = link.send(message)
    if sent.isStored { session.state.changed() }
    carryOut(sent, timestamp: message.timestamp) { message }
  }

  /// Sends a text, and adds it to the journal.
  private func carryOut(_ sent: Sent, timestamp: Double, _ message: () -> BridgeMessage) {
    carryOut(sent)
    sent.text.withUnsafeBufferPointer { text in
      if let answered = sent.answered { return note(answered, text, timestamp: timestamp, message) }
      let message = message()
      let kind: JournalEntry.Kind = message.type == .event ? .event : .hostRequest
      note(kind, text, of: sent.owner, timestamp: timestamp, cause: nil) { message }
    }
  }

  /// Sends a text at once, or after the current changes are stored.
  func carryOut(_ sent: Sent) {
    switch sent.way {
    case .none: return
    case .script(let take): return take(sent.text)
    case .socket: send(sent.text)
    case .store(let endsTurn): if endsTurn { session.releaseAfterTurn() }
    }
    session.metrics.sentMessages &+= 1
  }

  private func send(_ text: [UInt8]) { text.withUnsafeBufferPointer { connection?.sendText($0) } }

  /// Adds the answer to a call to the journal, and to the figures.
  private func note(
    _ answered: AnsweredCall, _ text: UnsafeBufferPointer<UInt8>, timestamp: Double, _ message: () -> BridgeMessage
  ) {
    if let wait = answered.wait { session.metrics.callWasAnswered(wait) }
    note(.response, text, of: answered.owner, timestamp: timestamp, cause: answered.cursor, message)
  }

  /// Adds a message to the page to the journal, unless it is one of Footbridge's own.
  private func note(
    _ kind: JournalEntry.Kind,
    _ text: UnsafeBufferPointer<UInt8>,
    of owner: ActionOwner,
    timestamp: Double,
    cause: Int?,
    _ message: () -> BridgeMessage
  ) {
    if owner == .footbridge { return }
    session.journal.append(kind, page: name, of: owner, text: text, time: timestamp, cause: cause, message: message())
  }

  package override func unhandled(_ request: BridgeMessage) {
    guard link.isUnhandled(request) else { return }
    let reason = "Nothing handles \(request.action). It waits for an answer from a test."
    guard remarks.isFirst("unanswered \(request.action)") else { return session.noteUnanswered(reason) }
    note(unanswered: request, "\(session.bridgeTable.pagesChannel): \(reason)")
    tellDeveloper(reason)
  }

  /// Returns the action of a request that was acknowledged and has no result yet; nil if there is no such request.
  package func acknowledgedAction(of correlationID: String) -> String? {
    link.acknowledgedAction(of: correlationID)
  }

  // MARK: The store

  /// Sends the waiting messages, unless there are unstored changes: a page never learns of a change that could still be lost.
  func release() {
    for text in link.release(isStored: !session.state.isUnstored) { send(text) }
  }

  /// Sends the messages that have waited for the taken change, which is stored now.
  func changeWasStored() {
    for text in link.changeWasStored() { send(text) }
    release()
  }

  /// Drops the messages about changes that could not be stored, and makes the calls fail that have caused these changes.
  func undo(because failure: StoreFailure) {
    let table = session.bridgeTable
    for answer in link.dropLost(where: table.tellsOfState) {
      guard let bridge = table[table.owners.owner(of: answer.action)] else { continue }
      let call = String(answer.action.trimmingPrefix("\(bridge.name)."))
      let error = BridgeErrorPayload(
        code: bridge.profile.unstoredErrorCode(answer.action),
        message: failure.message(about: call),
        recoverable: true
      )
      host.respond(to: answer.correlationId, action: answer.action, status: .error, error: error)
    }
  }

  // MARK: Its end

  /// Ends the page.
  func end(_ code: WebSocketCloseCode, reason: String) {
    host.detach(served: self)
    connection?.close(code, reason: reason)
    connection = nil
    releaseHost()
  }

  /// Ends the page here, since it continues on another server, where it opens its socket.
  func handOver() {
    connection?.onMessage = nil
    connection?.onClose = nil
    connection?.close(.goingAway, reason: "The session has moved to another server.")
    connection = nil
    releaseHost()
  }

  /// Releases the page's host and bridges.
  func releaseHost() {
    link.ended()
    host.endSharing()
    host.release(served: self)
    parts = PageParts()
  }
}

/// The bridges' parts of a page.
@BridgeActor
struct PageParts {
  /// All parts, in the order of the bridges.
  private(set) var all: [any PageBridge] = []
  /// The part of the bridge whose messages the page writes itself; nil if there is none.
  private(set) var receiverOfPosts: (any PageBridge)?

  /// No parts.
  nonisolated init() {}

  /// Creates the parts of a page.
  init(of page: Page) {
    for (definition, bridge) in zip(page.session.bridgeTable.definitions, page.session.bridges) {
      guard let part = bridge.makePage(page) else { continue }
      all.append(part)
      if !definition.messages.contains(.madeByShim) { receiverOfPosts = part }
    }
  }
}

extension LinkLimits {
  /// The limits of a page's messages.
  init(_ limits: FootbridgeLimits) {
    self.init(
      messageBytes: limits.web.webSocketMessageBytes, messageValues: limits.messageValues, callBytes: limits.callBytes,
      openCalls: limits.openCalls)
  }
}
