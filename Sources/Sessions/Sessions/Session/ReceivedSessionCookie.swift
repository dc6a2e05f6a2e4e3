package import WebServer

/// The session cookie of a request, with the key of its session. It is read and hashed once for each request, since many parts of the
/// server ask for it. (Without this, 30 % more instructions for a `proxied document of a session`.)
package final class ReceivedSessionCookie: Sendable {
  /// The cookie's value.
  package let value: String
  /// The key of the session.
  package let key: SessionKey

  fileprivate init(_ value: String) {
    self.value = value
    key = SessionKey(cookieValue: value)
  }
}

extension HTTPExchange {
  /// The session cookie of the request; nil without one. The exchange holds it until its head changes.
  package var sessionCookie: ReceivedSessionCookie? {
    if let received = readings as? ReceivedSessionCookie { return received }
    guard let value = SessionCookie.value(in: head.fields, isSecure: isSecure) else { return nil }
    let received = ReceivedSessionCookie(value)
    readings = received
    return received
  }
}
