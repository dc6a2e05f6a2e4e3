import BridgeCore
import BridgeRuntime
import BridgeServer
import Sessions

/// A handler that is a web server. Each line is posted to it, and it answers with lines or an array.
///
/// A line after a page's notice waits until the notice is answered, so that it cannot overtake the notice. Messages for which a page waits
/// are sent at once. If the server cannot be reached, lines are posted again after a pause.
@BridgeActor
final class HandlerPoster: HandlerTransport {
  private let poster: HTTPPoster
  private let authorization: Secret?
  private let place: String
  private let handler: DeclaredHandler
  /// The last notice of each page, until it is answered.
  private var notices: [String: Task<Void, Never>] = [:]
  private var isStopped = false
  private var isAway = false

  /// The number of open requests.
  let window = 32
  private static let longestDelay = 5000

  /// Prepares a handler at an address. `token` goes along with each line; `place` is the place of the setting.
  init(_ poster: HTTPPoster, token: Secret?, place: String, _ handler: DeclaredHandler) {
    (self.poster, self.place, self.handler) = (poster, place, handler)
    authorization = token.map { Secret("Bearer \($0.reveal())") }
  }

  /// Closes the connections.
  func stop() {
    isStopped = true
    poster.stop()
    handler.disconnected()
  }

  func send(_ line: HandlerLine) {
    let notice = notices[line.page]
    let task = Task { [weak self] in
      await notice?.value
      await self?.post(line)
    }
    if line.message == nil { notices[line.page] = task }
    Task { [weak self] in
      await task.value
      guard let self else { return }
      if notices[line.page] == task { notices[line.page] = nil }
      if !isStopped { handler.accepted(line) }
    }
  }

  private func post(_ line: HandlerLine) async {
    var delay = 100
    while !isStopped {
      do {
        let (status, body) = try await poster.post(
          line.bytes, contentType: "application/json", authorization: authorization)
        isAway = false
        guard 200..<300 ~= status else { return fail(line, "has answered \(status)") }
        if let problem = read(body) { handler.failed(line, "The handler has written \(problem).") }
        return handler.hasOnlyTaken(line)
      } catch {
        switch error {
        case .notReached(let reason):
          if isStopped || line.message.map(handler.isWaiting) == false { return }
          if !isAway { handler.messagesWait("is away. Messages wait for it.", detail: " \(place): \(reason)") }
          isAway = true
          try? await Task.sleep(for: .milliseconds(delay))
          delay = min(delay * 2, Self.longestDelay)
        case .timedOut: return fail(line, "has not answered in time")
        case .noAnswer: return fail(line, "has closed the connection without a valid answer")
        case .answerTooLong: return fail(line, "has answered with more than \(poster.answerLimit) bytes")
        }
      }
    }
  }

  private func fail(_ line: HandlerLine, _ what: String) {
    if isStopped { return }
    handler.problem("\(what) (\(place)).")
    handler.failed(line, "The handler \(what).")
  }

  /// Reads JSON Lines, or one array. Returns the first problem; nil if there is none. It may be the answer to the posted message that cannot be
  /// read.
  private func read(_ body: [UInt8]) -> HandlerMessage.Problem? {
    guard body.first(where: { !" \t\r\n".utf8.contains($0) }) == UInt8(ascii: "[") else {
      var lines = HandlerLines()
      return lines.push(body + [0x0A]).compactMap { handler.receive($0) }.first
    }
    do throws(JSONError) {
      return try JSONValue(parsing: body).arrayValue?.compactMap { handler.receive($0) }.first
    } catch {
      return handler.received(unreadableArray: error)
    }
  }
}
