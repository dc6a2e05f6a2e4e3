import HTTP1
import HTTPTypes

/// What a client's machine says about one exchange, independent of how the bytes were cut.
enum ClientEvent: Hashable {
  case informational(Int)
  case head(ResponseHead)
  case body(String)
  case end(trailers: [String])
  case fail(MessageDefect)
  case closed
  case idle
  case waitsForBytes
}

/// How the connection ends after the bytes of an exchange.
enum ConnectionEnd: CaseIterable {
  case none, clean, broken
}

/// Begins one request, feeds the pieces to a new machine, and notes what comes out.
func clientEvents(
  _ pieces: [[UInt8]], to method: HTTPRequest.Method = .get, offersUpgrade: Bool = false,
  limits: HTTP1Limits = .default, end: ConnectionEnd = .none, isLenient: Bool = false
) -> [ClientEvent] {
  var limits = limits
  limits.mendsResponses = isLenient
  var machine = ClientConnectionStateMachine(limits: limits)
  machine.beginRequest(method: method, offersUpgrade: offersUpgrade)
  var events: [ClientEvent] = []
  var body: [UInt8] = []

  func note(_ event: ClientEvent) {
    if !body.isEmpty { events.append(.body(String(decoding: body, as: UTF8.self))) }
    body = []
    events.append(event)
  }

  /// Takes actions until one waits, which it returns; nil when the connection is over.
  func takeActions() -> ClientEvent? {
    while true {
      switch machine.nextAction() {
      case .needsMoreBytes: return .waitsForBytes
      case .idle: return .idle
      case .informational(let head): note(.informational(head.status.code))
      case .head(let head): note(.head(head))
      case .body(let bytes): body += bytes
      case .end(let trailers): note(.end(trailers: trailers.map { "\($0.name.rawName): \($0.value)" }))
      case .fail(let defect): note(.fail(defect))
      case .closed:
        note(.closed)
        return nil
      }
    }
  }

  var last = takeActions()
  for piece in pieces {
    machine.receive(piece)
    last = takeActions()
    if last == nil { return events }
  }
  if end != .none {
    machine.receiveEnd(isClean: end == .clean)
    last = takeActions()
  }
  if let last { note(last) }
  return events
}

/// The same for text in one piece.
func clientEvents(
  _ text: String, to method: HTTPRequest.Method = .get, offersUpgrade: Bool = false, limits: HTTP1Limits = .default,
  end: ConnectionEnd = .none, isLenient: Bool = false
) -> [ClientEvent] {
  clientEvents(
    [Array(text.utf8)], to: method, offersUpgrade: offersUpgrade, limits: limits, end: end, isLenient: isLenient)
}

/// The events after the head.
func afterHead(_ events: [ClientEvent]) -> [ClientEvent] {
  Array(events.drop { if case .head = $0 { false } else { true } }.dropFirst())
}
