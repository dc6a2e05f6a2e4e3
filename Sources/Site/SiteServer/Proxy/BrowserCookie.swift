import HTTP1
import HTTPTypes

/// A cookie of the site in a browser, without its value. The parts are those that are needed to make it expire (RFC 6265, section 5.3, step
/// 11).
struct BrowserCookie: Hashable, Sendable {
  private let name: [UInt8]
  private let path: String
  /// The value of `Domain`; nil for a host-only cookie.
  private let domain: String?
  private let isSecure: Bool
  private let isPartitioned: Bool

  /// The largest size of name, path and domain together, in bytes. Larger cookies are not remembered.
  private static let byteLimit = 1024

  /// Reads a `Set-Cookie` field of a response to a request for `requestPath`. Nil for a cookie without a name, and for one that is too
  /// long.
  init?(setBy field: HTTPField, requestPath: String) {
    let parts = field.valueBytes.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
    guard let pair = parts.first, let sign = pair.firstIndex(of: UInt8(ascii: "=")) else { return nil }
    var path: String?
    var domain: String?
    var attributes: Set<String> = []
    for part in parts.dropFirst() {
      let attribute = part.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      let name = attribute.first.map { String(decoding: $0.trimmingWhitespace, as: UTF8.self).lowercased() } ?? ""
      let value = attribute.count == 2 ? String(decoding: attribute[1].trimmingWhitespace, as: UTF8.self) : ""
      attributes.insert(name)
      // The last attribute of a name applies. An empty or relative path counts as missing.
      if name == "path" { path = value.hasPrefix("/") ? value : nil }
      if name == "domain" { domain = value.isEmpty ? nil : value }
    }
    self.init(
      name: Array(pair[..<sign].trimmingWhitespace), path: path ?? Self.defaultPath(of: requestPath), domain: domain,
      isSecure: attributes.contains("secure"), isPartitioned: attributes.contains("partitioned"))
  }

  private init?(name: [UInt8], path: String, domain: String?, isSecure: Bool, isPartitioned: Bool) {
    let byteCount = name.count + path.utf8.count + (domain?.utf8.count ?? 0)
    guard !name.isEmpty, byteCount <= Self.byteLimit else { return nil }
    self.name = name
    self.path = path
    self.domain = domain
    self.isSecure = isSecure
    self.isPartitioned = isPartitioned
  }

  /// The cookies of this name that a request for `requestPath` could have sent: host-only cookies, with each possible path.
  static func candidates(_ name: ArraySlice<UInt8>, requestPath: String) -> [BrowserCookie] {
    var paths = ["/"]
    var end = requestPath.startIndex
    while let slash = requestPath[end...].dropFirst().firstIndex(of: "/"), paths.count < pathLimit {
      let folder = String(requestPath[..<slash])
      paths += [folder, folder + "/"]
      end = slash
    }
    if requestPath.count > 1, !paths.contains(requestPath) { paths.append(requestPath) }
    return paths.compactMap { path in
      BrowserCookie(name: Array(name), path: path, domain: nil, isSecure: false, isPartitioned: false)
    }
  }

  /// The maximum number of paths to try for a cookie whose name is all that is known.
  private static let pathLimit = 7

  /// Whether the cookie has this name.
  func isNamed(_ name: ArraySlice<UInt8>) -> Bool { self.name.elementsEqual(name) }

  /// The `Set-Cookie` field that makes the cookie expire at once. Over `https` it is Secure: otherwise it could not replace a Secure
  /// cookie.
  func expired(isSecure: Bool) -> HTTPField {
    var text = "=; Path=\(path); Max-Age=0"
    if let domain { text += "; Domain=\(domain)" }
    let isPrefixed = name.starts(with: Array("__".utf8))
    if isSecure || self.isSecure || isPrefixed || isPartitioned { text += "; Secure" }
    if isPartitioned { text += "; SameSite=None; Partitioned" }
    return HTTPField(name: .setCookie, value: name + Array(text.utf8))
  }

  /// RFC 6265, section 5.1.4.
  private static func defaultPath(of requestPath: String) -> String {
    guard requestPath.hasPrefix("/"), let slash = requestPath.lastIndex(of: "/"), slash != requestPath.startIndex else {
      return "/"
    }
    return String(requestPath[..<slash])
  }
}
