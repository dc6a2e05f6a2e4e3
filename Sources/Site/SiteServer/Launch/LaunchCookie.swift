package import BridgeServer
import CookieJar
package import Sessions

/// A cookie that native stores in the web view before the first request.
package struct LaunchCookie: Sendable, Hashable {
  /// `SameSite` of the cookie.
  package enum SameSite: String, Sendable, CaseIterable {
    case lax = "Lax"
    case strict = "Strict"
    case none = "None"
  }

  let name: String
  let value: String
  private let path: String
  private let isHTTPOnly: Bool
  private let isSecure: Bool
  private let sameSite: SameSite?
  private let maxAge: Int?

  /// Reads a cookie.
  package init(_ node: InputNode) throws(OptionError) {
    let members = try node.section(["name", "value", "path", "httpOnly", "secure", "sameSite", "maxAge"])
    guard let name = members["name"], let value = members["value"] else {
      throw node.expected("a cookie with name and value")
    }
    self.name = try Self.text(name) { $0 != UInt8(ascii: "=") && $0 != UInt8(ascii: " ") }
    self.value = try value.writtenText()
    path = try members["path"].map { node throws(OptionError) in try Self.text(node) { _ in true } } ?? "/"
    isHTTPOnly = try members["httpOnly"]?.bool() ?? false
    isSecure = try members["secure"]?.bool() ?? false
    sameSite = try members["sameSite"]?.choice(SameSite.self)
    maxAge = try members["maxAge"]?.integer(in: 1...34_560_000)
    guard self.value.utf8.allSatisfy({ 0x20...0x7E ~= $0 && $0 != UInt8(ascii: ";") }),
      let cookie = try? SetCookie(parsing: setCookie), cookie.name == self.name, path.hasPrefix("/")
    else {
      throw node.expected("a cookie whose value has no semicolon, and whose path begins with a slash")
    }
  }

  private static func text(_ node: InputNode, _ isAllowed: (UInt8) -> Bool) throws(OptionError) -> String {
    let text = try node.text()
    guard !text.isEmpty, text.utf8.allSatisfy({ 0x20...0x7E ~= $0 && $0 != UInt8(ascii: ";") && isAllowed($0) }) else {
      throw node.expected("ASCII without semicolons")
    }
    return text
  }

  /// The value of the `Set-Cookie` field.
  var setCookie: String {
    var text = "\(name)=\(value); Path=\(path)"
    if isHTTPOnly { text += "; HttpOnly" }
    if isSecure { text += "; Secure" }
    if let sameSite { text += "; SameSite=\(sameSite.rawValue)" }
    if let maxAge { text += "; Max-Age=\(maxAge)" }
    return text
  }

  /// Whether the browser sends it with a request for this path.
  func applies(to path: String) -> Bool {
    path == self.path || path.hasPrefix(self.path.hasSuffix("/") ? self.path : self.path + "/")
  }
}
