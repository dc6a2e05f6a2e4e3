/// What the beginning of a cookie's name promises about it (RFC 6265bis, section 4.1.3).
///
/// The two with `Http` are those of its successor (draft-ietf-httpbis-layered-cookies), which browsers have already.
enum CookiePrefix {
  /// `__Secure-`: Secure.
  case secure
  /// `__Host-`: Secure, for the host alone, with the Path `/`.
  case host
  /// `__Http-`: Secure and HttpOnly.
  case http
  /// `__Host-Http-`: what ``host`` promises, and HttpOnly.
  case hostHTTP

  /// The prefix of `name`, whatever its case.
  init?(_ name: String) {
    let name = name.utf8
    if name.startsIgnoringCase("__secure-") {
      self = .secure
    } else if name.startsIgnoringCase("__http-") {
      self = .http
    } else if name.startsIgnoringCase("__host-") {
      self = name.startsIgnoringCase("__host-http-") ? .hostHTTP : .host
    } else {
      return nil
    }
  }
}
