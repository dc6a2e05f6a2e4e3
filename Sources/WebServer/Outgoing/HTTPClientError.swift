public import HTTP1

/// Why a request had no response, or only a part of one.
public enum HTTPClientError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The host's name has no address.
  case cannotResolve(host: String, reason: String)
  /// No connection could be made to any of the host's addresses.
  case cannotConnect(origin: HTTPOrigin, reason: String)
  /// The connection was made, TLS on it was not.
  case cannotSecure(origin: HTTPOrigin, reason: String)
  /// The server took longer than it was given.
  case timedOut(origin: HTTPOrigin, Duration)
  /// The server closed the connection without a word.
  case closed(origin: HTTPOrigin)
  /// The response is malformed or cut short.
  case invalidResponse(origin: HTTPOrigin, MessageDefect)
  /// The request itself cannot be sent.
  case invalidRequest(MessageDefect)
  /// The one who asked has taken the request back.
  case cancelled

  /// One sentence for people.
  public var description: String {
    switch self {
    case .cannotResolve(let host, let reason): "The name \(host) has no address: \(reason)."
    case .cannotConnect(let origin, let reason): "\(origin) cannot be reached: \(reason)."
    case .cannotSecure(let origin, let reason): "No secure connection to \(origin): \(reason)."
    case .timedOut(let origin, let duration): "\(origin) did not answer within \(duration)."
    case .closed(let origin): "\(origin) closed the connection without an answer."
    case .invalidResponse(let origin, let defect): "\(origin) sent no valid answer. \(defect)"
    case .invalidRequest(let defect): "The request cannot be passed on. \(defect)"
    case .cancelled: "The request was taken back."
    }
  }
}
