import Essentials

/// Paths of requests and cookies (RFC 6265bis, section 5.1.4). They are compared byte by byte, without decoding
/// escapes.
enum CookiePath {
  /// The path of a URL, still escaped, without the query.
  static func path(of url: URL) -> String {
    let path = url.path(percentEncoded: true)
    return path.isEmpty ? "/" : path
  }

  /// The default-path of a request: the part before the last slash.
  static func defaultPath(of requestPath: String) -> String {
    let bytes = requestPath.utf8
    guard bytes.first == UInt8(ascii: "/"), let slash = bytes.lastIndex(of: UInt8(ascii: "/")),
      slash != bytes.startIndex
    else { return "/" }
    return String(decoding: bytes[..<slash], as: UTF8.self)
  }

  /// Whether `requestPath` path-matches `cookiePath`: it is the same or below it.
  static func matches(_ requestPath: String, cookiePath: String) -> Bool {
    let request = requestPath.utf8
    let cookie = cookiePath.utf8
    guard request.starts(with: cookie) else { return false }
    if request.count == cookie.count || cookie.last == UInt8(ascii: "/") { return true }
    return request.dropFirst(cookie.count).first == UInt8(ascii: "/")
  }
}
