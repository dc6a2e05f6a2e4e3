import HTTP1

extension RequestHead {
  /// Whether the browser says that it is Firefox.
  var isFromFirefox: Bool { fields.value(of: .userAgent)?.contains("Firefox/") == true }
}
