/// Why an exchange could not go on.
public enum HTTPExchangeError: Error, Sendable, Hashable {
  /// The peer went away.
  case connectionClosed
  /// The response was complete before the request was: the rest of the request is not read.
  case responseSent
}
