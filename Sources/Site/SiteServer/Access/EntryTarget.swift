import HTTP1

/// The page that a browser opens after it has entered a session: a path of the site, with an optional query and fragment. It is never
/// another site.
package struct EntryTarget: Hashable, Sendable {
  /// The value of `Location`: a path with one slash in front, in ASCII.
  package let location: String

  /// The start page.
  package static let root = EntryTarget(location: "/")
  /// The maximum length, in bytes.
  static let lengthLimit = 2048
  /// The requirements for a target, for errors.
  package static let requirement =
    "a path of the site: /, or / and then neither / nor a backslash, at most \(lengthLimit) bytes"

  private init(location: String) {
    self.location = location
  }

  /// Reads a target. Nil if browsers could take it for an address of another site: they treat `\` as `/`, and leave out tabs and line breaks
  /// (URL standard, section 4.4).
  package init?(_ text: String) {
    let bytes = text.utf8
    guard bytes.count <= Self.lengthLimit, bytes.first == UInt8(ascii: "/"), !bytes.dropFirst().starts(with: "/".utf8),
      !bytes.contains(where: { $0 <= 0x20 || $0 == 0x7F || $0 == UInt8(ascii: "\\") })
    else { return nil }
    location = PercentEncoding.encodeInvisible(text)
  }

  /// Reads the query item `to` of an address. Without it, the target is the start page. Nil for a value that is not a target.
  package init?(queryItem: String?) {
    guard let queryItem else {
      self = .root
      return
    }
    guard let text = PercentEncoding.decode(queryItem) else { return nil }
    self.init(text)
  }
}
