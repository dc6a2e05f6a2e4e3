import HTTP1
import HTTPTypes

/// The response on one HTTP/2 stream, on the client's side (RFC 9113, section 8.1), as a pure state machine.
///
/// nghttp2 has already checked each field, and that the body has the announced length.
struct HTTP2ResponseStateMachine: Sendable {
  /// What the owner must do next.
  enum Action: Sendable, Hashable {
    /// An informational response (1xx). The final one follows.
    case informational(ResponseHead)
    /// The final response begins. Its body and ``end(trailers:)`` follow.
    case head(ResponseHead)
    /// The response is complete.
    case end(trailers: HTTPFields)
    /// The response breaks a rule, which `reason` names as a clause. Reset the stream.
    case refuse(reason: String)
  }

  /// The outcome of an exchange whose stream ended without a complete response.
  enum Outcome: Sendable, Hashable {
    /// The server has not processed the request. Send it again, even if it is not idempotent (RFC 9113, section 8.7).
    case handedBack
    /// The server wants the request over HTTP/1.1.
    case needsHTTP1
    /// The server has reset the stream.
    case reset(HTTP2ErrorCode)
    /// The response breaks a rule, which `reason` names as a clause.
    case broken(reason: String)
  }

  private enum State {
    /// Before the final head. Counts the informational responses.
    case awaitingHead(informational: Int)
    case receivingBody
    case ended
  }

  private let method: HTTPRequest.Method
  private let limits: HTTP1Limits
  private var state = State.awaitingHead(informational: 0)

  /// Creates the machine for the response to a request.
  init(method: HTTPRequest.Method, limits: HTTP1Limits) {
    self.method = method
    self.limits = limits
  }

  /// Whether the final head has not arrived yet.
  var awaitsHead: Bool {
    if case .awaitingHead = state { true } else { false }
  }

  /// Whether the response is complete.
  var isComplete: Bool {
    if case .ended = state { true } else { false }
  }

  /// A field section has arrived: a head, or trailers.
  mutating func received(_ fields: [HTTP2Field], endsStream: Bool) -> [Action] {
    switch state {
    case .ended: return []
    case .receivingBody: return endsStream ? end(HTTPFields(trailers: fields)) : []
    case .awaitingHead(let informational):
      guard let head = head(of: fields) else { return refuse("the response has no valid :status or framing") }
      guard head.status.kind == .informational else {
        state = .receivingBody
        return [.head(head)] + (endsStream ? end([:]) : [])
      }
      guard informational < limits.informationalResponses else {
        return refuse("there are more than \(limits.informationalResponses) informational responses")
      }
      state = .awaitingHead(informational: informational + 1)
      return [.informational(head)]
    }
  }

  /// The last bytes of the body have arrived.
  mutating func receivedEnd() -> [Action] {
    if case .receivingBody = state { end([:]) } else { [] }
  }

  /// The stream is closed. Returns the outcome of its exchange; nil if its response is complete.
  mutating func closed(_ end: HTTP2StreamEnd) -> Outcome? {
    let (hadNoHead, wasComplete) = (awaitsHead, isComplete)
    state = .ended
    if wasComplete { return nil }
    if let defect = end.defect { return .broken(reason: defect) }
    switch end.code {
    case .refusedStream where hadNoHead: return .handedBack
    case .http11Required where hadNoHead: return .needsHTTP1
    default: return .reset(end.code)
    }
  }

  private mutating func end(_ trailers: HTTPFields) -> [Action] {
    state = .ended
    return [.end(trailers: trailers)]
  }

  private mutating func refuse(_ reason: String) -> [Action] {
    state = .ended
    return [.refuse(reason: reason)]
  }

  /// Converts the head of a response to HTTP/1.1; nil if it is malformed, or has the status 101, which HTTP/2 does not
  /// have (RFC 9113, section 8.6).
  private func head(of section: [HTTP2Field]) -> ResponseHead? {
    guard let status = section.first, status.name.elementsEqual(":status".utf8),
      let code = Int(String(decoding: status.value, as: UTF8.self)), (100...599).contains(code), code != 101
    else { return nil }
    var fields: [HTTPField] = []
    fields.reserveCapacity(section.count)
    for field in section.dropFirst() {
      guard let name = HTTPField.Name(String(decoding: field.name, as: UTF8.self)) else { return nil }
      fields.append(HTTPField(name: name, value: field.value))
    }
    return try? ResponseHead(
      status: HTTPResponse.Status(code: code), fields: HTTPFields(inOrder: fields), inResponseTo: method)
  }
}
