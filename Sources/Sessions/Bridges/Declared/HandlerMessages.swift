import BridgeCore
package import BridgeRuntime
package import Logging

/// What a declared bridge's handler, a program of the developer's own, is told and says: one JSON object for each line.
///
/// Messages wait for their answers here. While the handler is away they wait for it, as many as ``mostWaiting``.
@BridgeActor
package final class HandlerMessages {
  /// A message that has no answer yet.
  private struct Open {
    let responder: any BridgeResponder
    let page: ObjectIdentifier
    var isSent: Bool
  }

  /// How many messages can wait for an answer, and how many lines for the handler.
  package static let mostWaiting = 1000

  /// Sends a line to the handler; false when it cannot take one more. Nil while the handler is away.
  private var send: (([UInt8]) -> Bool)?
  private var count = 0
  private var open: [Int: Open] = [:]
  private var waiting: [(message: Int?, line: [UInt8])] = []
  private var pages: [ObjectIdentifier: DeclaredPage] = [:]
  private let bridge: String
  private let logger: Logger

  /// Creates the messages of a bridge's handler, which is away at first.
  package init(bridge: String, logger: Logger) {
    self.bridge = bridge
    self.logger = logger
  }

  // MARK: Pages

  /// A page has opened.
  func opened(_ page: DeclaredPage) {
    pages[ObjectIdentifier(page)] = page
    tell(page, ["state": "opened", "url": page.url.map { .string($0) } ?? .null])
  }

  /// A page has gone. Nobody waits for answers to it any more.
  func closed(_ page: DeclaredPage) {
    guard pages.removeValue(forKey: ObjectIdentifier(page)) != nil else { return }
    open = open.filter { $0.value.page != ObjectIdentifier(page) }
    tell(page, ["state": "gone"])
  }

  /// Asks the handler about a message; without a responder, tells it.
  func ask(_ page: DeclaredPage, _ members: [String: JSONValue], _ responder: (any BridgeResponder)?) {
    guard let responder else { return tell(page, members) }
    guard open.count < Self.mostWaiting else { return refuse(responder, "Too many messages wait for the handler.") }
    count += 1
    open[count] = Open(responder: responder, page: ObjectIdentifier(page), isSent: false)
    var members = members
    members["message"] = .number(Double(count))
    write(page, members, message: count)
  }

  private func tell(_ page: DeclaredPage, _ members: [String: JSONValue]) { write(page, members, message: nil) }

  private func write(_ page: DeclaredPage, _ members: [String: JSONValue], message: Int?) {
    let place: [String: JSONValue] = [
      "bridge": .string(bridge), "session": .string(page.sessionID), "page": .string(page.id),
    ]
    let line = Array(JSONValue.object(members.merging(place) { first, _ in first }).jsonText.utf8) + [0x0A]
    if let send, send(line) {
      if let message { open[message]?.isSent = true }
    } else if waiting.count < Self.mostWaiting {
      waiting.append((message, line))
    } else {
      logger.warning("The handler of the bridge \(bridge) is away, and too much waits for it: a message is lost.")
      if let message, let lost = open.removeValue(forKey: message) {
        refuse(lost.responder, "The handler is away, and too many messages wait for it.")
      }
    }
  }

  private func refuse(_ responder: any BridgeResponder, _ reason: String) {
    responder.respond(
      status: .error, data: nil,
      error: BridgeErrorPayload(code: "bridge.handler", message: reason, recoverable: true))
  }

  // MARK: The handler

  /// The handler is there: what has waited goes to it.
  package func handlerCame(_ send: @escaping ([UInt8]) -> Bool) {
    self.send = send
    let lines = waiting
    waiting = []
    for (message, line) in lines {
      // Nobody waits for the answer to a page that has gone.
      if let message, open[message] == nil { continue }
      if send(line) {
        if let message { open[message]?.isSent = true }
      } else {
        waiting.append((message, line))
      }
    }
  }

  /// The handler has gone. What it had and did not answer is refused: it may have had its effect.
  package func handlerLeft() {
    send = nil
    for (message, call) in open where call.isSent {
      open[message] = nil
      refuse(call.responder, "The handler has ended before it answered.")
    }
  }

  /// The handler has written a line.
  package func receive(_ line: HandlerLines.Line) {
    guard let line else { return complain("a line that is too long") }
    guard let value = try? JSONValue(parsing: line), let members = value.objectValue else {
      return complain("a line that is no JSON object")
    }
    if let number = members["message"]?.numberValue {
      return answer(number, members)
    }
    let arguments = members["args"] ?? []
    var event: DeclaredEvent?
    if let path = members["call"] {
      event = DeclaredEvent.call(path.arrayValue ?? [path], arguments)
    } else if let name = members["event"]?.stringValue {
      event = DeclaredEvent.event(name, members["detail"])
    }
    guard let event, arguments.arrayValue != nil, let id = members["page"]?.stringValue else {
      return complain("a line that has neither message, nor page with call or event")
    }
    let session = members["session"]?.stringValue
    for page in pages.values where page.id == id && (session == nil || page.sessionID == session) { page.send(event) }
  }

  private func answer(_ number: Double, _ members: [String: JSONValue]) {
    guard let number = Int(exactly: number), let call = open.removeValue(forKey: number) else {
      return complain("an answer to a message that waits for none")
    }
    if let error = members["error"] {
      let text = error.stringValue ?? error.jsonText
      let payload = BridgeErrorPayload(code: "bridge.failed", message: text, recoverable: false)
      return call.responder.respond(status: .error, data: nil, error: payload)
    }
    call.responder.respond(status: .success, data: members["reply"].map { ["value": $0] } ?? [:], error: nil)
  }

  /// What it has written may hold secrets: the log does not repeat it.
  private func complain(_ what: String) {
    logger.warning("The handler of the bridge \(bridge) has written \(what).")
  }
}
