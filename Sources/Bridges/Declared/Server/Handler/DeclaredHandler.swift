import InAppPurchases
package import BridgeCore
package import BridgeRuntime
import Sessions

/// The way to a handler: a child process, a web server, or a WebSocket.
@BridgeActor
package protocol HandlerTransport: AnyObject {
  /// How many lines may be on their way at once.
  var window: Int { get }

  /// Sends a line. Calls ``DeclaredHandler/accepted(_:)`` when the handler has taken it.
  func send(_ line: HandlerLine)
}

/// The conversation with a declared bridge's handler, a program of the developer. Each side sends lines, and each line is one JSON object.
///
/// A ``HandlerStateMachine`` decides which lines wait and which messages are open. It is the same for each kind of transport.
@BridgeActor
package final class DeclaredHandler {
  private var machine: HandlerStateMachine
  private var transport: (any HandlerTransport)?
  private var responders: [Int: any BridgeResponder] = [:]
  /// The sheets that are open, by ``sheetKey(_:_:)``.
  private var sheets: [String: Task<Void, Never>] = [:]
  /// How often a handler has gone. What one has asked for is not told to the next one, which may use the same numbers.
  private var departureCount = 0
  private var pages: [ObjectIdentifier: DeclaredPage] = [:]
  private let bridge: String
  private let log: HandlerLog
  private let access: HandlerAccess

  /// Creates the conversation with a handler that has not connected yet.
  init(bridge: String, log: HandlerLog, access: HandlerAccess, limits: HandlerStateMachine.Limits = .init()) {
    self.bridge = bridge
    self.log = log
    self.access = access
    machine = HandlerStateMachine(limits)
  }

  /// Whether the handler is connected.
  package var isHere: Bool { machine.isHere }

  /// Whether lines to the handler go through this transport.
  func isReached(by transport: any HandlerTransport) -> Bool { self.transport === transport }

  // MARK: Pages

  /// A page has opened.
  func opened(_ page: DeclaredPage) {
    pages[ObjectIdentifier(page)] = page
    tell(page, Self.opening(of: page), notice: .opened)
  }

  private static func opening(of page: DeclaredPage) -> [String: JSONValue] {
    ["state": "opened", "url": page.url.map { .string($0) } ?? .null]
  }

  /// A page has changed its address without loading a document.
  func navigated(_ page: DeclaredPage, to url: String) {
    guard pages[ObjectIdentifier(page)] != nil else { return }
    tell(page, ["state": "navigated", "url": .string(url)], notice: .changed)
  }

  /// A page has gone. Its open messages are given up.
  func closed(_ page: DeclaredPage) {
    for number in forget(page) { responders[number] = nil }
  }

  /// Another handler serves a page from now on. Its open messages fail, since they may have had their effect.
  func handedOver(_ page: DeclaredPage) {
    for number in forget(page) { fail(number, "Another handler has connected before this one answered.") }
  }

  /// Forgets a page and tells the handler that it is gone. Returns its open messages.
  private func forget(_ page: DeclaredPage) -> [Int] {
    guard pages.removeValue(forKey: ObjectIdentifier(page)) != nil else { return [] }
    let (open, isKnown) = machine.ended(page.key)
    if isKnown { tell(page, ["state": "gone"], notice: .changed) }
    return open
  }

  /// Tells the handler about an event of a session.
  func tell(session: String, _ members: [String: JSONValue]) {
    var members = members
    members["session"] = .string(session)
    members["control"] = access.members(of: session)
    deliver(members, page: session, message: nil, notice: .changed)
  }

  /// A session was deleted.
  func deleted(session: String) {
    if machine.deleted(session: session) { tell(session: session, ["state": "ended"]) }
  }

  /// Sends a message of a page to the handler. If there is a responder, it gets the handler's answer.
  func ask(_ page: DeclaredPage, _ members: [String: JSONValue], _ responder: (any BridgeResponder)?) {
    guard let responder else { return tell(page, members) }
    guard let number = machine.openMessage(of: page.key) else {
      return Self.refuse(responder, "Too many messages wait for the handler.")
    }
    responders[number] = responder
    var members = members
    members["message"] = .number(Double(number))
    tell(page, members, message: number)
  }

  /// Sends a request for a resource of the app to the handler. `page` is the session's page, if one is open. Returns the number of the
  /// message; nil if too many wait, and the request is refused.
  func ask(
    _ session: DeclaredSession, _ page: DeclaredPage?, _ resource: JSONValue, _ responder: any BridgeResponder
  ) -> Int? {
    guard let number = machine.openMessage(of: session.id) else {
      Self.refuse(responder, "Too many messages wait for the handler.")
      return nil
    }
    responders[number] = responder
    var members: [String: JSONValue] = [
      "message": .number(Double(number)), "session": .string(session.id), "resource": resource,
    ]
    members["page"] = page.map { .string($0.id) }
    members["url"] = page?.url.map { .string($0) }
    deliver(members, page: session.id, message: number)
    return number
  }

  /// Nobody waits for the answer to a message any longer.
  func giveUp(_ message: Int) {
    machine.giveUp(message)
    responders[message] = nil
  }

  private func tell(
    _ page: DeclaredPage, _ members: [String: JSONValue], message: Int? = nil, notice: HandlerLine.Notice? = nil
  ) {
    deliver(line(about: page, members, message: message, notice: notice))
  }

  private func line(
    about page: DeclaredPage, _ members: [String: JSONValue], message: Int? = nil, notice: HandlerLine.Notice? = nil
  ) -> HandlerLine {
    var members = members
    members["session"] = .string(page.sessionID)
    members["control"] = access.members(of: page.sessionID)
    members["page"] = .string(page.id)
    return line(members, page: page.key, message: message, notice: notice)
  }

  private func deliver(
    _ members: [String: JSONValue], page: String, message: Int?, notice: HandlerLine.Notice? = nil
  ) {
    deliver(line(members, page: page, message: message, notice: notice))
  }

  private func line(
    _ members: [String: JSONValue], page: String, message: Int?, notice: HandlerLine.Notice?
  ) -> HandlerLine {
    var members = members
    members["bridge"] = .string(bridge)
    var writer = JSONWriter()
    writer.write(members)
    writer.bytes.append(0x0A)
    return HandlerLine(writer.bytes, page: page, message: message, notice: notice)
  }

  private func deliver(_ line: HandlerLine) {
    switch machine.deliver(line) {
    case .send: transport?.send(line)
    case .wait(isFirst: true): messagesWait("is away. Messages wait for it.")
    case .wait: break
    case .lost:
      problem("is away or behind, and too much waits for it: messages are lost.")
      guard let responder = line.message.flatMap({ responders.removeValue(forKey: $0) }) else { return }
      Self.refuse(responder, "The handler is away, and too many messages wait for it.")
    }
  }

  private static func refuse(_ responder: any BridgeResponder, _ reason: String) {
    responder.respond(
      status: .error, data: nil,
      error: BridgeErrorPayload(code: "bridge.handler", message: reason, recoverable: true))
  }

  // MARK: The handler

  /// The handler has connected. It need not be the one from before: it is told of the pages that are open. Then come the lines that have waited.
  package func connected(_ transport: any HandlerTransport) {
    self.transport = transport
    let sessions = Dictionary(pages.values.map { ($0.sessionID, $0.session) }, uniquingKeysWith: { first, _ in first })
    let openings = sessions.values.flatMap(\.pages).filter { pages[ObjectIdentifier($0)] != nil }.map {
      line(about: $0, Self.opening(of: $0), notice: .opened)
    }
    for line in machine.connected(window: transport.window, openings: openings) { transport.send(line) }
  }

  /// Tells the handler about pages that are already open.
  func catchUp(_ pages: [DeclaredPage]) {
    for page in pages { opened(page) }
  }

  /// The handler has taken a line, and can take one more.
  package func accepted(_ line: HandlerLine) {
    if let next = machine.accepted(line) { transport?.send(next) }
  }

  /// The handler has gone. Messages that it had received and not answered fail, since they may have had their effect. `reason` continues the
  /// sentence of ``problem(_:in:)``, if the server has disconnected the handler for a mistake.
  package func disconnected(because reason: String? = nil) {
    if let reason { problem(reason) }
    transport = nil
    departureCount += 1
    for number in machine.disconnected() { fail(number, "The handler \(reason ?? "has ended before it answered.")") }
    for task in sheets.values { task.cancel() }
  }

  /// A line could not be sent to the handler. The message that it asks about fails.
  package func failed(_ line: HandlerLine, _ reason: String) {
    guard let message = line.message, machine.fail(message) else { return }
    fail(message, reason)
  }

  /// Whether a message waits for its answer.
  package func isWaiting(_ message: Int) -> Bool { machine.isOpen(message) }

  private func fail(_ message: Int, _ reason: String) {
    if let responder = responders.removeValue(forKey: message) { Self.refuse(responder, reason) }
  }

  /// Reports that messages wait for the handler, also in the console of each page. `text` continues the sentence of ``problem(_:in:)``; the
  /// console leaves out `detail`.
  func messagesWait(_ text: String, detail: String = "") {
    problem(text + detail)
    for page in pages.values { page.tellDeveloper("The handler of the bridge \(bridge) \(text)") }
  }

  /// The handler has taken a message and has answered nothing. It may still do so later.
  func hasOnlyTaken(_ line: HandlerLine) {
    guard let message = line.message, machine.isOpen(message) else { return }
    pages.values.first { $0.key == line.page }?.note(
      unanswered: "The handler has taken a message and answered nothing: the promise stays pending until it does.")
  }

  /// Reports a problem with the handler: in the log, and in the journals of the sessions that it serves. `text` continues the sentence "The
  /// handler of the bridge acme".
  package func problem(_ text: String, in session: String? = nil) {
    guard log.warn("The handler of the bridge \(bridge) \(text)") else { return }
    var noted: Set<String> = []
    for page in pages.values where session == nil || page.sessionID == session {
      if noted.insert(page.sessionID).inserted { page.noteHandler(text) }
    }
  }

  /// The handler has written a line. Returns what is wrong with it; nil for nothing.
  @discardableResult
  package func receive(_ line: HandlerLines.Line) -> HandlerMessage.Problem? {
    receive { () throws(HandlerMessage.Problem) in try HandlerMessage(line) }
  }

  /// The handler has written this value as a part of a larger text. Returns what is wrong with it; nil for nothing.
  @discardableResult
  package func receive(_ value: JSONValue) -> HandlerMessage.Problem? {
    receive { () throws(HandlerMessage.Problem) in try HandlerMessage.reading(value) }
  }

  /// The handler has written an array that is not JSON. Returns what is wrong with it.
  func received(unreadableArray error: JSONError) -> HandlerMessage.Problem? {
    receive { () throws(HandlerMessage.Problem) in
      throw HandlerMessage.Problem("an array of lines that is not JSON: \(error)")
    }
  }

  private func receive(_ read: () throws(HandlerMessage.Problem) -> HandlerMessage) -> HandlerMessage.Problem? {
    do {
      switch try read() {
      case .reply(let message, let value):
        try settle(message) {
          $0.respond(status: .success, data: value.map { ["value": $0] } ?? [:], error: nil)
        }
      case .fail(let message, let error): try settle(message) { error.reject($0) }
      case .act(let place, let event, let id): act(place, event, id)
      case .sheet(let place, let number, let sheet): try show(sheet, number, in: place)
      case .store(let place, let request, let id): try ask(request, id, in: place)
      }
      return nil
    } catch {
      problem("has written \(error).")
      if let message = error.message, machine.fail(message) { fail(message, "The handler has written \(error).") }
      return error
    }
  }

  private func settle(
    _ message: Int, _ respond: (any BridgeResponder) -> Void
  ) throws(HandlerMessage.Problem) {
    switch machine.answered(message) {
    case .settle: if let responder = responders.removeValue(forKey: message) { respond(responder) }
    case .late: break
    case .unknown: throw HandlerMessage.Problem("an answer to a message that waits for none")
    }
  }

  // MARK: What pages do for the handler

  private func act(_ place: HandlerMessage.Place, _ event: DeclaredEvent, _ id: JSONValue?) {
    do {
      let page = try page(at: place)
      guard let id else { return page.send(event) }
      let session = page.sessionID
      guard machine.beginQuestion(in: session) else {
        return answer(id, place, ["error": "Too many questions of the handler wait for pages."])
      }
      let known = HandlerMessage.Place(session: session, page: page.id)
      page.ask(event) { [weak self, departureCount] result in
        guard let self else { return }
        machine.endQuestion(in: session)
        guard departureCount == self.departureCount else { return }
        answer(id, known, result ?? ["error": "The page has gone."])
      }
    } catch {
      guard let id else { return problem("has written \(error).", in: place.session) }
      answer(id, place, ["error": .string("There is no such page: this is \(error).")])
    }
  }

  /// Sends the handler the result of its question.
  private func answer(_ id: JSONValue, _ place: HandlerMessage.Place, _ result: [String: JSONValue]) {
    var members = result
    members["id"] = id
    tell(place, members)
  }

  /// Sends the handler a line about the place that it has named.
  private func tell(_ place: HandlerMessage.Place, _ members: [String: JSONValue]) {
    var members = members
    members["session"] = place.session.map { .string($0) }
    members["page"] = place.page.map { .string($0) }
    deliver(members, page: place.session ?? "", message: nil)
  }

  /// The page that the handler means. Without a session, no other session may have one of this name.
  private func page(at place: HandlerMessage.Place) throws(HandlerMessage.Problem) -> DeclaredPage {
    let meant = pages.values.filter { page in
      page.id == place.page && (place.session == nil || page.sessionID == place.session)
    }
    guard let page = meant.first else { throw HandlerMessage.Problem("a line about a page that is not there") }
    guard meant.count == 1 else {
      throw HandlerMessage.Problem("a line about a page without its session, and several sessions have such a page")
    }
    return page
  }

  /// The session at a place, and its page if the place has one.
  private func sessionAndPage(
    at place: HandlerMessage.Place
  ) throws(HandlerMessage.Problem) -> (DeclaredSession, page: BridgeHost.ID?) {
    let session = try session(at: place)
    return (session, try place.page.map { _ throws(HandlerMessage.Problem) in try page(at: place).hostID })
  }

  // MARK: The store

  /// Asks the store of a session for the handler.
  private func ask(
    _ request: HandlerStoreRequest, _ id: JSONValue?, in place: HandlerMessage.Place
  ) throws(HandlerMessage.Problem) {
    let session: DeclaredSession
    let page: BridgeHost.ID?
    do throws(HandlerMessage.Problem) {
      (session, page) = try self.sessionAndPage(at: place)
    } catch {
      guard let id else { throw error }
      return answer(id, place, ["error": .string("There is no such page: this is \(error)."), "code": "noStore"])
    }
    guard case .ask(let request) = request else {
      if case .listen = request { session.tellHandlerOfStore() }
      if let id { answer(id, place, request.immediateAnswer(isStoreHere: session.store != nil)) }
      return
    }
    guard machine.beginQuestion(in: session.id) else {
      if let id { answer(id, place, ["error": "Too many questions of the handler wait.", "code": "limit"]) }
      return
    }
    let known = HandlerMessage.Place(session: session.id, page: place.page)
    BridgeActor.begin { [weak self, departureCount] in
      var result: [String: JSONValue] = [:]
      do throws(InAppError) {
        result["result"] = try await request.answer(of: session.store, for: page)
      } catch {
        result = ["error": .string(error.description), "code": .string(error.code.rawValue)]
      }
      guard let self else { return }
      machine.endQuestion(in: session.id)
      guard departureCount == self.departureCount, let id else { return }
      answer(id, known, result)
    }
  }

  // MARK: Sheets

  private func show(
    _ sheet: DeclaredSheet, _ number: JSONValue, in place: HandlerMessage.Place
  ) throws(HandlerMessage.Problem) {
    let session: DeclaredSession
    let page: BridgeHost.ID?
    do throws(HandlerMessage.Problem) {
      (session, page) = try self.sessionAndPage(at: place)
    } catch {
      // The handler waits for an answer, and the page may just have been loaded again.
      tell(place, ["sheet": number, "approved": false])
      throw error
    }
    let key = "\(session.id) \(number.jsonText)"
    let byteCount = JSONValue.object(sheet.content).jsonText.utf8.count
    if let reason = machine.open(sheet: key, in: session.id, byteCount: byteCount) {
      throw HandlerMessage.Problem(reason)
    }
    sheets[key] = Task { [weak self, departureCount] in
      let answer = await session.present(sheet, on: page)
      guard let self else { return }
      machine.close(sheet: key)
      sheets[key] = nil
      guard departureCount == self.departureCount else { return }
      var members = sheet.members(for: answer)
      members["sheet"] = number
      tell(session: session.id, members)
    }
  }

  /// The session has ended, or its app is launched again. Closes its sheets, which the handler gets as dismissed.
  func sessionEnded(_ id: String) {
    for (key, task) in sheets where key.hasPrefix("\(id) ") { task.cancel() }
  }

  /// The session that the handler means. Without a name, there must be only one.
  private func session(at place: HandlerMessage.Place) throws(HandlerMessage.Problem) -> DeclaredSession {
    if place.page != nil { return try page(at: place).session }
    let sessions = pages.values.map(\.session).filter { place.session == nil || $0.id == place.session }
    guard let session = sessions.first else {
      throw HandlerMessage.Problem("a sheet for a session that has no page of the bridge")
    }
    guard sessions.allSatisfy({ $0 === session }) else {
      throw HandlerMessage.Problem("a sheet without its session, and there are several")
    }
    return session
  }
}
