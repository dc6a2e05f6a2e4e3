import InAppPurchases
package import BridgeCore
package import BridgeRuntime
import Essentials
import HTTP1
package import Sessions

/// A declared bridge's part of one page.
@BridgeActor
package final class DeclaredPage: PageBridge {
  /// The bridge's part of the page's session.
  let session: DeclaredSession
  private let page: any BridgePage
  private let prefix: String
  /// The waiting answers, by their number.
  private var tasks: [Int: Task<Void, Never>] = [:]
  private var taskCount = 0
  /// What an adapter asks of the store.
  private let adapterStore: AdapterStore
  /// Whether the page is not open and may come back. It is then sent only what names it.
  private(set) var isSuspended = false

  private static let mostWaiting = 1000
  private static let longestAddress = 8 << 10

  init(_ session: DeclaredSession, _ page: any BridgePage) {
    self.session = session
    self.page = page
    prefix = session.configuration.name + "."
    adapterStore = AdapterStore(session)
  }

  private var configuration: DeclaredConfiguration { session.configuration }

  // MARK: The page

  package func received(_ event: PageEvent) {
    switch event {
    case .expected: isSuspended = true
    case .opened: open()
    case .ended: end()
    case .posted, .observed: break
    }
  }

  private func open() {
    isSuspended = false
    guard isHere, session.opened(self), !configuration.opened.isEmpty else { return }
    guard let answers = DeclaredAnswer.chosen(from: configuration.opened, for: .null) else { return }
    run(answers, about: .null, responder: nil)
  }

  /// The page has ended here, or goes to another server with its session.
  func end() {
    for task in tasks.values { task.cancel() }
    tasks = [:]
    session.closed(self)
  }

  /// The page's id in the control API.
  package var id: String { page.id }

  /// The page's host.
  var hostID: BridgeHost.ID { page.host.id }

  /// The session's id in the control API.
  var sessionID: String { session.id }

  /// The name of the page in messages of a handler, unique among all sessions.
  var key: String { "\(sessionID)/\(id)" }

  /// The page's address in production; nil if the server has not served it.
  var url: String? { page.siteURL?.absoluteString }

  /// The page's origin in production.
  private var origin: String? {
    guard let url, case .absolute(let scheme, let authority, _, _) = RequestTarget(url, method: .get) else {
      return nil
    }
    return HTTPOrigin(isSecure: scheme.lowercased() == "https", authority: authority).description
  }

  /// Sends an event to the page.
  package func send(_ event: DeclaredEvent) { page.host.send(event: prefix + event.kind, data: event.data) }

  /// Sends an event to the page, in order with other events. `settle` gets its `result`, unless that is `undefined`, or its `error`; nil if the
  /// page ends before.
  package func ask(_ event: DeclaredEvent, settle: @escaping ([String: JSONValue]?) -> Void) {
    page.host.request(action: prefix + event.kind, data: event.data) { answer in
      if let refusal = answer?.payload.error { return settle(["error": .string(refusal.message)]) }
      guard let data = answer?.payload.data else { return settle(answer == nil ? nil : [:]) }
      if let error = data["error"] { return settle(["error": error]) }
      settle(data["value"].map { ["result": $0] } ?? [:])
    }
  }

  /// Says why promises of the page stay pending, in the console.
  func tellDeveloper(_ text: String) { page.tellDeveloper(text) }

  /// Says in the log, the journal and the console why the promise of a message stays pending.
  func note(unanswered text: String) { session.note(unanswered: text, on: page) }

  /// Adds a journal entry about the handler.
  func noteHandler(_ text: String) { session.noteHandler(text) }

  /// Whether the page can have the bridge, according to the document that the server has served.
  private var isHere: Bool {
    if configuration.isMainFrameOnly, page.reasonAgainstMainFrame != nil { return false }
    guard let path = page.siteURL?.path(percentEncoded: true) else { return true }
    return configuration.pages.contains { $0.matches(path.isEmpty ? "/" : path) }
  }

  // MARK: Messages

  package func handleImmediately(request: BridgeMessage, responder: any BridgeResponder) -> Bool {
    if let text = session.readyAnswers[request], !configuration.isMainFrameOnly || page.reasonAgainstMainFrame == nil {
      responder.respond(status: .success, text: text)
      return true
    }
    let action = request.action
    guard action.hasPrefix(prefix) else {
      return handleNavigation(request, responder) || handleStoreRequest(request, responder)
    }
    if configuration.isMainFrameOnly, let reason = page.reasonAgainstMainFrame {
      session.log("Messages of \(page.id) are refused, since frames is main: \(reason).")
      let error = BridgeErrorPayload(
        code: "bridge.notMainFrame", message: "Only a main frame has this bridge.", recoverable: false)
      responder.respond(status: .error, data: nil, error: error)
      return true
    }
    let name = String(action.dropFirst(prefix.count))
    let data = request.payload.data
    let waits = data?["waits"] != false && configuration.waitsForReply(onChannel: data?["channel"]?.stringValue)
    if !waits { responder.respond(status: .success, data: [:], error: nil) }
    let message = data?["value"] ?? .null
    for call in session.retainedCalls(name, message) { send(call) }
    guard let answers = configuration.answers[name].flatMap({ DeclaredAnswer.chosen(from: $0, for: message) }) else {
      if waits, let answer = session.answerAboutLaunch(to: name) {
        responder.respond(status: .success, data: ["value": answer], error: nil)
        return true
      }
      if let host = session.presetHost, host.handle(name, message, from: self, waits ? responder : nil) { return true }
      if let handler = session.handler {
        ask(handler, name, data, waits ? responder : nil)
        return true
      }
      if waits { session.noteUnanswered(name, on: page) }
      // Answer at once, so that a blocked script continues.
      if waits, data?["now"] == true {
        responder.respond(status: .success, data: [:], error: nil)
        return true
      }
      return !waits
    }
    let instance = data?["instance"]?.stringValue
    let own = instance.map { instance in answers.map { $0.about(instance) } } ?? answers
    run(own, about: message, responder: waits ? responder : nil)
    return true
  }

  /// Notes that the page has changed its address without loading a document. Only the part after the origin is taken from the page.
  private func handleNavigation(_ request: BridgeMessage, _ responder: any BridgeResponder) -> Bool {
    guard request.hasAction(withPrefix: "footbridge.navigated"), let data = request.payload.data,
      data["bridge"]?.stringValue == configuration.name
    else { return false }
    responder.respond(status: .success, data: nil, error: nil)
    guard let path = data["path"]?.stringValue, path.hasPrefix("/"), path.utf8.count <= Self.longestAddress,
      // `//host` and `/\host` would be another origin.
      !path.hasPrefix("//"), !path.hasPrefix("/\\"),
      let address = URL(string: path, relativeTo: page.siteURL)?.absoluteString
    else { return true }
    session.handler?.navigated(self, to: address)
    return true
  }

  /// Answers what an adapter asks of the store.
  private func handleStoreRequest(_ request: BridgeMessage, _ responder: any BridgeResponder) -> Bool {
    guard configuration.hasAdapter, request.hasAction(withPrefix: "footbridge.store"),
      let data = request.payload.data, data["bridge"]?.stringValue == configuration.name
    else { return false }
    if configuration.isMainFrameOnly, page.reasonAgainstMainFrame != nil {
      DeclaredError(InAppError.noStore.json).reject(responder)
    } else {
      adapterStore.answer(data, for: hostID, responder)
    }
    return true
  }

  private func ask(
    _ handler: DeclaredHandler, _ name: String, _ data: [String: JSONValue]?, _ responder: (any BridgeResponder)?
  ) {
    var members: [String: JSONValue] = [
      "name": .string(name), "body": data?["value"] ?? .null, "mainFrame": .bool(page.reasonAgainstMainFrame == nil),
    ]
    members["channel"] = data?["channel"]
    members["instance"] = data?["instance"]
    members["now"] = data?["now"]
    members["url"] = url.map { .string($0) }
    members["origin"] = origin.map { .string($0) }
    handler.ask(self, members, responder)
  }

  private func run(_ answers: [DeclaredAnswer], about message: JSONValue, responder: (any BridgeResponder)?) {
    if let first = answers.firstIndex(where: { $0.delay > .zero || $0.step.isOfStore }) {
      perform(answers[..<first], about: message, responder)
      perform(later: Array(answers[first...]), about: message, responder)
    } else {
      perform(answers[...], about: message, responder)
    }
    // If no answer is a reply, settle the promise, as native code does when its handler returns.
    if let responder, !answers.contains(where: \.step.isReply) {
      responder.respond(status: .success, data: [:], error: nil)
    }
  }

  private func perform(
    later answers: [DeclaredAnswer], about message: JSONValue, _ responder: (any BridgeResponder)?
  ) {
    guard tasks.count < Self.mostWaiting else {
      session.log("More than \(Self.mostWaiting) answers of \(page.id) wait: further ones are dropped.")
      responder?.respond(
        status: .error, data: nil,
        error: BridgeErrorPayload(
          code: "bridge.brokenRequest", message: "More than \(Self.mostWaiting) answers wait.", recoverable: true))
      return
    }
    taskCount += 1
    let number = taskCount
    let clock = session.clock
    // Read the clock now: a test may set it before the task begins.
    let start = clock.now
    tasks[number] = Task { [weak self] in
      var end = start
      for answer in answers {
        end = end.advanced(by: answer.delay)
        if answer.delay > .zero {
          do { try await clock.sleep(until: end) } catch { return }
        }
        if case .store(let operation, let members, let reply) = answer.step {
          let members = members.filled(from: message).objectValue ?? [:]
          guard await self?.askStore(operation, members, reply, responder) == true else { break }
          end = clock.now
        } else {
          self?.perform([answer], about: message, responder)
        }
      }
      self?.tasks[number] = nil
    }
  }

  /// Asks the store for an answer of the file, and settles the promise. Returns whether the store has done what it was asked for.
  private func askStore(
    _ operation: String, _ members: [String: JSONValue], _ reply: JSONTemplate?, _ responder: (any BridgeResponder)?
  ) async -> Bool {
    do throws(InAppError) {
      let answer = try await InAppRequest(operation, members).answer(of: session.store, for: hostID)
      let value = reply.map { $0.value(from: answer ?? .null) } ?? answer
      responder?.respond(status: .success, data: value.map { ["value": $0] } ?? [:], error: nil)
      return true
    } catch {
      if let responder { DeclaredError(error.json).reject(responder) }
      session.log("The store has not done what an answer asked it for (\(operation)): \(error)")
      return false
    }
  }

  /// Tells the page of a notice of the store, as the file says, and its adapter.
  func tell(_ notice: InAppNotice) {
    if adapterStore.isListening { page.host.send(event: prefix + "notice", data: notice.members) }
    guard let declared = configuration.notices[notice.kind] else { return }
    let value = JSONValue.object(notice.members)
    guard let answers = DeclaredAnswer.chosen(from: declared, for: value) else { return }
    run(answers, about: value, responder: nil)
  }

  private func perform(
    _ answers: ArraySlice<DeclaredAnswer>, about message: JSONValue, _ responder: (any BridgeResponder)?
  ) {
    for answer in answers {
      switch answer.step {
      case .reply(let template):
        responder?.respond(
          status: .success, data: template.value(from: message).map { ["value": $0] } ?? [:], error: nil)
      case .fail(let template):
        let error = template.value(from: message)
        if error == nil { session.log("A message lacks the member that an answer rejects it with.") }
        if let responder { DeclaredError(error ?? "").reject(responder) }
      // Performed later, since it takes time.
      case .store: break
      case .call, .event, .dispatch, .set:
        guard let event = DeclaredEvent.of(answer.step, message) else {
          session.log(
            "A message lacks the member that names the function or event of an answer, or a list of arguments: nothing was called."
          )
          continue
        }
        send(event)
      }
    }
  }
}

extension DeclaredAnswer.Step {
  /// Whether the step asks the store, which takes time.
  fileprivate var isOfStore: Bool { if case .store = self { true } else { false } }
}
