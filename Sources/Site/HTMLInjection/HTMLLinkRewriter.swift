/// Translates the links in an HTML document: in attributes, and in `<meta http-equiv=refresh>`. Does not change text,
/// scripts and styles. It works on a stream, and holds back at most one tag.
package struct HTMLLinkRewriter {
  /// The form of an attribute's addresses.
  package enum Form {
    /// One address.
    case address
    /// The value of a `Refresh` field.
    case refresh
  }

  private static let addressNames: Set<[UInt16]> = names(
    "href", "src", "action", "formaction", "poster", "data", "background", "cite", "longdesc", "xlink:href")
  private static let listNames: Set<[UInt16]> = names("srcset", "imagesrcset", "ping")
  private static let content = Array("content".utf16)
  private static let httpEquiv = Array("http-equiv".utf16)
  private static let refresh = Array("refresh".utf16)

  private let contentType: String
  private let translate: (String, Form) -> String
  private var start: [UInt8] = []
  private var stream: HTMLTagStream?
  private var encoding: HTMLEncoding?

  /// Creates the rewriter of one document.
  /// - Parameters:
  ///   - contentType: The document's `Content-Type`.
  ///   - translate: Translates the value of an attribute. Character references in it are not resolved.
  package init(contentType: String, translate: @escaping (String, Form) -> String) {
    (self.contentType, self.translate) = (contentType, translate)
  }

  /// Takes a piece of the document, and returns the bytes that can be sent on.
  package mutating func push(_ bytes: [UInt8]) -> [UInt8] {
    if stream == nil {
      start += bytes
      return begin(isComplete: false)
    }
    return pass(bytes)
  }

  /// Ends the document, and returns the rest of its bytes.
  package mutating func finish() -> [UInt8] {
    (stream == nil ? begin(isComplete: true) : []) + (stream?.finish() ?? [])
  }

  private mutating func begin(isComplete: Bool) -> [UInt8] {
    guard let (encoding, markByteCount) = HTMLEncoding.sniff(start, contentType: contentType, isComplete: isComplete)
    else { return [] }
    self.encoding = encoding
    stream = HTMLTagStream(
      HTMLMetaScanner(isXML: HTMLMediaType.isXHTML(contentType), findsEveryTag: true), encoding: encoding)
    defer { start = [] }
    return start[..<markByteCount] + pass(Array(start[markByteCount...]))
  }

  private mutating func pass(_ bytes: [UInt8]) -> [UInt8] {
    guard let encoding else { return bytes }
    return stream?.push(bytes) { [translate] tag in Self.translated(tag, encoding, translate) } ?? bytes
  }

  private static func translated(
    _ bytes: [UInt8], _ encoding: HTMLEncoding, _ translate: (String, Form) -> String
  ) -> [UInt8] {
    let tag = stride(from: 0, to: bytes.count, by: encoding.unitByteCount).map { encoding.unit(in: bytes, at: $0) }
    let attributes = HTMLAttribute.all(of: tag)
    let isRefresh = attributes.contains {
      $0.name == httpEquiv && tag[$0.value].map(\.asciiLowercased) == refresh
    }
    var result = tag
    for attribute in attributes.reversed() {
      let before = text(tag[attribute.value])
      let after =
        if addressNames.contains(attribute.name) {
          translate(before, .address)
        } else if listNames.contains(attribute.name) {
          translatedList(before) { translate($0, .address) }
        } else if isRefresh, attribute.name == content {
          translate(before, .refresh)
        } else {
          before
        }
      if after != before { result.replaceSubrange(attribute.value, with: units(after)) }
    }
    return result == tag ? bytes : result.flatMap { encoding.bytes(of: $0) }
  }

  /// Translates each address in a list that is separated by white space, with or without descriptors and commas, as in
  /// `srcset` (HTML Standard, section 4.8.4.2.1).
  private static func translatedList(_ list: String, _ translate: (String) -> String) -> String {
    var result = ""
    var item = ""
    for scalar in list.unicodeScalars {
      if whiteSpace.contains(scalar) {
        result += translatedItem(item, translate)
        result.unicodeScalars.append(scalar)
        item = ""
      } else {
        item.unicodeScalars.append(scalar)
      }
    }
    return result + translatedItem(item, translate)
  }

  /// Translates an item without the commas around it.
  private static func translatedItem(_ item: String, _ translate: (String) -> String) -> String {
    let address = item.trimmingPrefix(",")
    let end = address.reversed().prefix { $0 == "," }.count
    return item.prefix(item.count - address.count) + translate(String(address.dropLast(end))) + address.suffix(end)
  }

  /// ASCII white space (Infra Standard, section 4.6).
  private static let whiteSpace: Set<Unicode.Scalar> = ["\t", "\n", "\u{C}", "\r", " "]

  /// Converts each code unit to one scalar, so that ``units(_:)`` can convert it back unchanged.
  private static func text(_ units: ArraySlice<UInt16>) -> String {
    var scalars = String.UnicodeScalarView()
    for unit in units { scalars.append(Unicode.Scalar(unit) ?? " ") }
    return String(scalars)
  }

  private static func units(_ text: String) -> [UInt16] {
    text.unicodeScalars.map { UInt16(truncatingIfNeeded: $0.value) }
  }

  private static func names(_ names: String...) -> Set<[UInt16]> { Set(names.map { Array($0.utf16) }) }
}
