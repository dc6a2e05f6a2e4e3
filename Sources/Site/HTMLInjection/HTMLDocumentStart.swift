/// Decides whether bytes are a whole document or a fragment. A document begins with a doctype, `<html>` or an XML
/// declaration, after comments and white space.
package struct HTMLDocumentStart {
  /// How many bytes to examine: comments may come first. If they do not decide, it is a fragment.
  package static let byteCount = 4096

  /// The bytes so far.
  package private(set) var bytes: [UInt8] = []
  /// Whether it is a document; nil if more bytes are needed.
  package private(set) var isDocument: Bool?

  private static let prefixes = ["<!doctype", "<html", "<?xml"].map { Array($0.utf8) }

  /// Creates a detector.
  package init() {}

  /// Takes the next bytes.
  package mutating func push(_ more: [UInt8]) {
    bytes += more
    guard isDocument == nil else { return }
    isDocument = Self.decide(bytes[...])
    if bytes.count >= Self.byteCount { isDocument = isDocument ?? false }
  }

  /// Ends the bytes: if they have not decided, it is a fragment.
  package mutating func finish() {
    isDocument = isDocument ?? false
  }

  private static func decide(_ bytes: ArraySlice<UInt8>) -> Bool? {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    var rest = bytes.starts(with: mark) ? bytes.dropFirst(3) : bytes
    while true {
      rest = rest.drop { UInt16($0).isHTMLSpace }
      guard rest.starts(with: "<!--".utf8) else { break }
      guard let end = rest.firstRange(of: Array("-->".utf8)) else { return nil }
      rest = rest[end.upperBound...]
    }
    let start = rest.prefix(9).map { UInt8(truncatingIfNeeded: UInt16($0).asciiLowercased) }
    if prefixes.contains(where: { start.starts(with: $0) }) { return true }
    let mayStillBe = (prefixes + [Array("<!--".utf8), mark]).contains { $0.starts(with: start) }
    return mayStillBe ? nil : false
  }
}
