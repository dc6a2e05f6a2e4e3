/// Media types of HTML documents.
package enum HTMLMediaType {
  /// Whether a media type is HTML or XHTML, whatever its parameters.
  package static func isHTML(_ type: String) -> Bool {
    let essence = essence(of: type)
    return essence == "text/html" || essence == xhtml
  }

  /// Whether a media type is XHTML, whatever its parameters.
  package static func isXHTML(_ type: String) -> Bool { essence(of: type) == xhtml }

  private static func essence(of type: String) -> String {
    Substring(type.utf8.prefix { $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: " ") }).lowercased()
  }

  private static let xhtml = "application/xhtml+xml"
}
