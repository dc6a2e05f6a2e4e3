import HTTP1
import HTTPTypes
import Testing

/// What a server's machine says about a connection, independent of how its bytes were cut.
enum ServerEvent: Hashable {
  case head(RequestHead)
  case body(String)
  case end(trailers: [String])
  case refuse(HTTPResponse.Status, MessageDefect)
  case closed
  case waitsForBytes
}

/// Feeds the pieces to a new machine, answers each request when it is complete, and notes what comes out.
func serverEvents(
  _ pieces: [[UInt8]], limits: HTTP1Limits = .default, thenEnd: Bool = false
) -> [ServerEvent] {
  var machine = ServerConnectionStateMachine(limits: limits)
  var events: [ServerEvent] = []
  var body: [UInt8] = []

  func flushBody() {
    if !body.isEmpty { events.append(.body(String(decoding: body, as: UTF8.self))) }
    body = []
  }

  /// Returns false when the connection is over.
  func takeActions() -> Bool {
    while true {
      switch machine.nextAction() {
      case .needsMoreBytes: return true
      case .awaitsResponse: machine.responseSent()
      case .head(let head): events.append(.head(head))
      case .body(let bytes): body += bytes
      case .end(let trailers):
        flushBody()
        events.append(.end(trailers: trailers.map { "\($0.name.rawName): \($0.value)" }))
      case .refuse(let error):
        flushBody()
        events.append(.refuse(error.status, error.defect))
      case .closed:
        events.append(.closed)
        return false
      }
    }
  }

  for piece in pieces {
    machine.receive(piece)
    guard takeActions() else { return events }
  }
  if thenEnd {
    machine.receiveEnd()
    guard takeActions() else { return events }
  }
  flushBody()
  events.append(.waitsForBytes)
  return events
}

/// The same for text in one piece.
func serverEvents(_ text: String, limits: HTTP1Limits = .default, thenEnd: Bool = false) -> [ServerEvent] {
  serverEvents([Array(text.utf8)], limits: limits, thenEnd: thenEnd)
}

/// The same for each byte on its own.
func serverEventsByteByByte(_ text: String, limits: HTTP1Limits = .default, thenEnd: Bool = false) -> [ServerEvent] {
  serverEvents(text.utf8.map { [$0] }, limits: limits, thenEnd: thenEnd)
}

/// The heads among the events.
func heads(_ events: [ServerEvent]) -> [RequestHead] {
  events.compactMap { if case .head(let head) = $0 { head } else { nil } }
}

/// The one head of a request that must be accepted.
func acceptedHead(_ text: String) throws -> RequestHead {
  let found = heads(serverEvents(text))
  return try #require(found.first)
}
