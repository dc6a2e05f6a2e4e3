/// A prefix of a cookie's name that requires certain attributes (RFC 6265bis, section 4.1.3).
///
/// The two with `Http` come from the RFC's successor (draft-ietf-httpbis-layered-cookies) and are in browsers already.
enum CookiePrefix {
  /// `__Secure-` requires Secure.
  case secure
  /// `__Host-` requires Secure, Path `/`, and no Domain.
  case host
  /// `__Http-` requires Secure and HttpOnly.
  case http
  /// `__Host-Http-` requires HttpOnly and what ``host`` requires.
  case hostHTTP

  /// Finds the prefix of a name, ignoring case; nil for a name without one.
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
