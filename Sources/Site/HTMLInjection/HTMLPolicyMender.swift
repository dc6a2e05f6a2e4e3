/// Adds what the shim needs to the policies in a document's head, `<meta http-equiv="Content-Security-Policy">`
/// (Content Security Policy Level 3, section 3.3). It works on a stream, and holds back at most one tag.
struct HTMLPolicyMender {
  /// Whether a policy was changed.
  private(set) var hasMended = false

  private let policy: ContentSecurityPolicy
  private let encoding: HTMLEncoding
  private var stream: HTMLTagStream

  /// Creates the mender of one document. The first byte lies within the head.
  init(_ policy: ContentSecurityPolicy, encoding: HTMLEncoding, isXML: Bool) {
    self.policy = policy
    self.encoding = encoding
    stream = HTMLTagStream(HTMLMetaScanner(isXML: isXML), encoding: encoding)
  }

  /// Takes a piece of the document, and returns the bytes that can be sent on.
  mutating func push(_ bytes: [UInt8]) -> [UInt8] {
    var hasMended = hasMended
    defer { self.hasMended = hasMended }
    return stream.push(bytes) { [policy, encoding] in Self.mended($0, policy, encoding, &hasMended) }
  }

  /// Ends the document, and returns the rest of its bytes.
  mutating func finish() -> [UInt8] { stream.finish() }

  /// Mends the policy in a `meta` tag. Returns the tag unchanged if it has none, or if nothing is missing.
  private static func mended(
    _ bytes: [UInt8], _ policy: ContentSecurityPolicy, _ encoding: HTMLEncoding, _ hasMended: inout Bool
  ) -> [UInt8] {
    let tag = stride(from: 0, to: bytes.count, by: encoding.unitByteCount).map { encoding.unit(in: bytes, at: $0) }
    let attributes = HTMLAttribute.all(of: tag)
    func attribute(_ name: String) -> HTMLAttribute? { attributes.first { $0.name == Array(name.utf16) } }
    guard let kind = attribute("http-equiv"), let content = attribute("content"),
      decoded(tag[kind.value]).lowercased() == "content-security-policy"
    else { return bytes }
    let before = decoded(tag[content.value])
    let after = policy.mend(before)
    guard after != before else { return bytes }
    hasMended = true
    let quote = content.quote ?? .doubleQuote
    let value = encoded(after, within: quote)
    let units =
      tag[..<content.value.lowerBound] + (content.quote == nil ? [quote] + value + [quote] : value)
      + tag[content.value.upperBound...]
    return units.flatMap { encoding.bytes(of: $0) }
  }

  /// Decodes an attribute's value. Resolves the character references of quotes, which a policy may contain, and no
  /// others. Each code unit becomes one scalar, so that ``encoded(_:within:)`` can convert it back unchanged.
  private static func decoded(_ value: ArraySlice<UInt16>) -> String {
    var scalars = String.UnicodeScalarView()
    for unit in value { scalars.append(Unicode.Scalar(unit) ?? " ") }
    return String(scalars).replacing(/&(?:#0*(39|34);|#[xX]0*(27|22);|(quot|apos);)/) { match in
      ["34", "22", "quot"].contains(match.output.1 ?? match.output.2 ?? match.output.3 ?? "") ? "\"" : "'"
    }
  }

  /// Encodes an attribute's value, and escapes the quote that encloses it.
  private static func encoded(_ text: String, within quote: UInt16) -> [UInt16] {
    let reference = Array((quote == .doubleQuote ? "&quot;" : "&#39;").utf16)
    return text.unicodeScalars.flatMap { scalar in
      let unit = UInt16(truncatingIfNeeded: scalar.value)
      return unit == quote ? reference : [unit]
    }
  }
}
