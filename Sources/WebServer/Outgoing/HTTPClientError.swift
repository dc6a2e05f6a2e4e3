public import HTTP1

/// Why a request got no complete response.
public enum HTTPClientError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The name of the host has no address.
  case cannotResolve(host: String, reason: String)
  /// No address of the host accepts a connection.
  case cannotConnect(origin: HTTPOrigin, reason: String)
  /// The TLS handshake failed.
  case cannotSecure(origin: HTTPOrigin, reason: String)
  /// The server did not answer in time.
  case timedOut(origin: HTTPOrigin, Duration)
  /// The server closed the connection without an answer.
  case closed(origin: HTTPOrigin)
  /// The response is malformed or truncated.
  case invalidResponse(origin: HTTPOrigin, MessageDefect)
  /// The request is malformed.
  case invalidRequest(MessageDefect)
  /// The caller cancelled the request.
  case cancelled

  /// The reason, in one sentence.
  public var description: String {
    switch self {
    case .cannotResolve(let host, let reason): "The name \(host) has no address: \(reason)."
    case .cannotConnect(let origin, let reason): "\(origin) cannot be reached: \(reason)."
    case .cannotSecure(let origin, let reason): "No secure connection to \(origin): \(reason)."
    case .timedOut(let origin, let duration): "\(origin) did not answer within \(duration)."
    case .closed(let origin): "\(origin) closed the connection without an answer."
    case .invalidResponse(let origin, let defect): "\(origin) sent no valid answer. \(defect)"
    case .invalidRequest(let defect): "The request cannot be passed on. \(defect)"
    case .cancelled: "The request was cancelled."
    }
  }
}
