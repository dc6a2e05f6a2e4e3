import Essentials

/// Paths of requests and cookies (RFC 6265bis, section 5.1.4). Compares them byte by byte, without percent-decoding.
enum CookiePath {
  /// The path of a URL, percent-encoded, without the query.
  static func path(of url: URL) -> String {
    let path = url.path(percentEncoded: true)
    return path.isEmpty ? "/" : path
  }

  /// The default-path of a request: its path up to the last slash, without it; `/` if nothing is left.
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
