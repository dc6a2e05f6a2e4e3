import CLibpq
import Essentials
package import Sessions

/// The address of a PostgreSQL database: a connection URL of libpq. It may contain a password, which no log or error shows.
package struct PostgreSQLAddress: Sendable, CustomStringConvertible, CustomReflectable {
  /// The URL for libpq, with the password.
  let url: String
  /// The URL without the password and without parameters, except the name of a service.
  package let description: String
  package var customMirror: Mirror { Mirror(self, children: ["description": description]) }

  /// Whether a value of `--state` begins like a PostgreSQL URL. The rest of it may be wrong.
  package static func isOne(_ text: String) -> Bool {
    ["postgresql://", "postgres://"].contains { text.lowercased().hasPrefix($0) }
  }

  /// Reads a URL.
  ///
  /// - Throws: ``StateError/wrongAddress(_:reason:)`` if libpq cannot read it; ``StateError/libraryMissing(_:)`` without libpq.
  package init(_ url: String) throws(StateError) {
    self.url = url
    guard libpq_library() != nil else { throw .libraryMissing(Self.withoutPassword(url)) }
    guard let values = try? Self.values(url) else {
      let bare = Self.withoutPassword(url)
      do throws(PostgreSQLError) {
        _ = try Self.values(bare)
      } catch {
        throw .wrongAddress(bare, reason: error.message)
      }
      throw .wrongAddress(bare, reason: "The password in it is not percent-encoded.")
    }
    let user = values["user"].map { Self.encoded($0) + "@" } ?? ""
    let port = values["port"].map { ":" + $0 } ?? ""
    let host = (values["host"] ?? values["hostaddr"]).map { $0.contains(":") ? "[\($0)]" : Self.encoded($0) } ?? ""
    let service = values["service"].map { "?service=" + Self.encoded($0) } ?? ""
    description = "postgresql://\(user)\(host)\(port)/\(Self.encoded(values["dbname"] ?? ""))\(service)"
  }

  private static func values(_ url: String) throws(PostgreSQLError) -> [String: String] {
    var message: UnsafeMutablePointer<CChar>?
    guard let options = libpq_conninfoParse(url, &message) else {
      defer { libpq_freemem(message) }
      throw PostgreSQLError(message: message.map { String(cString: $0) } ?? "There is not enough memory.")
    }
    defer { libpq_conninfoFree(options) }
    var values: [String: String] = [:]
    var option = options
    while let keyword = option.pointee.keyword {
      if let value = option.pointee.val { values[String(cString: keyword)] = String(cString: value) }
      option += 1
    }
    return values
  }

  /// Removes everything from a URL that may be a password. The URL may be wrong.
  package static func withoutPassword(_ url: String) -> String {
    guard let scheme = url.range(of: "://") else { return url }
    var rest = url[scheme.upperBound...]
    var user: Substring = ""
    if let at = rest.lastIndex(of: "@") {
      user = rest[..<at].prefix { $0 != ":" } + "@"
      rest = rest[rest.index(after: at)...]
    }
    let parts = rest.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let parameters = parts.dropFirst().joined().split(separator: "&")
      .filter { !$0.lowercased().hasPrefix("password=") && !$0.lowercased().hasPrefix("sslpassword=") }
    let query = parameters.isEmpty ? "" : "?" + parameters.joined(separator: "&")
    return url[..<scheme.upperBound] + user + parts[0] + query
  }

  private static func encoded(_ text: String) -> String {
    text.utf8.map { byte in
      let isPlain =
        UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte
        || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte || "-._~,".utf8.contains(byte)
      return isPlain
        ? String(decoding: [byte], as: UTF8.self)
        : "%" + (byte < 16 ? "0" : "")
          + String(byte, radix: 16, uppercase: true)
    }.joined()
  }
}
