/// Decides from the first bytes whether a document without a `Content-Type` is HTML (MIME Sniffing Standard, section
/// 7.1).
///
/// Where Chromium differs from the standard, this follows Chromium: it reads 512 bytes, and does not check the
/// character after a tag's name.
package struct HTMLSniffer {
  /// The result for the bytes so far.
  package enum Verdict {
    /// More bytes are needed.
    case undecided
    /// The document is HTML.
    case html
    /// The document is something else.
    case other
  }

  /// How many bytes to examine.
  static let byteCount = 512

  /// The bytes so far.
  package private(set) var bytes: [UInt8] = []
  /// The result so far.
  package private(set) var verdict = Verdict.undecided

  private static let prefixes = [
    "<!doctype html", "<script", "<html", "<!--", "<head", "<iframe", "<h1", "<div", "<font", "<table", "<a", "<style",
    "<title", "<b",
    "<p",
  ].map { Array($0.utf8) }

  /// Creates a sniffer.
  package init() {}

  /// Takes the next bytes.
  package mutating func push(_ more: [UInt8]) {
    bytes += more
    guard case .undecided = verdict else { return }
    let text = bytes.prefix(Self.byteCount).drop { UInt16($0).isHTMLSpace }
    let isFull = bytes.count >= Self.byteCount
    func begins(_ text: ArraySlice<UInt8>, with prefix: ArraySlice<UInt8>) -> Bool {
      text.count >= prefix.count
        && zip(text, prefix).allSatisfy { UInt8(truncatingIfNeeded: UInt16($0).asciiLowercased) == $1 }
    }
    if Self.prefixes.contains(where: { begins(text, with: $0[...]) }) {
      verdict = .html
    } else if isFull || !Self.prefixes.contains(where: { begins(text, with: $0.prefix(text.count)) }) {
      verdict = .other
    }
  }

  /// Ends the document. If its bytes have not decided, it is not HTML.
  package mutating func finish() {
    if case .undecided = verdict { verdict = .other }
  }
}

/// Media types of HTML documents.
package enum HTMLMediaType {
  /// Whether a media type is HTML or XHTML, whatever its parameters.
  package static func isHTML(_ type: String) -> Bool {
    let essence = essence(of: type)
    return essence == "text/html" || essence == xhtml
  }

  /// Whether a media type is XHTML, whatever its parameters.
  package static func isXHTML(_ type: String) -> Bool { essence(of: type) == xhtml }

  /// Whether a media type says how the document is encoded.
  package static func namesEncoding(_ type: String) -> Bool { HTMLEncoding.charset(in: type) != nil }

  private static func essence(of type: String) -> String {
    Substring(type.utf8.prefix { $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: " ") }).lowercased()
  }

  private static let xhtml = "application/xhtml+xml"
}
