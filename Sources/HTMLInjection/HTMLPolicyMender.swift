/// Adds what the shim needs to the policies that a document has in its head, `<meta http-equiv="Content-Security-Policy">` (Content Security
/// Policy Level 3, section 3.3), while the document passes. What is held back is at most one tag.
struct HTMLPolicyMender {
  /// How many bytes are held back for one tag. A longer one passes as it is, and all that follows.
  static let heldByteCount = 64 << 10

  /// Whether a policy was changed.
  private(set) var hasMended = false

  private let policy: ContentSecurityPolicy
  private let encoding: HTMLEncoding
  private var scanner: HTMLMetaScanner
  private var isOver = false
  private var held: [UInt8] = []
  /// How much of it the scanner has read.
  private var readCount = 0

  /// Creates the mender of one document, from a place within its head on.
  init(_ policy: ContentSecurityPolicy, encoding: HTMLEncoding, isXML: Bool) {
    self.policy = policy
    self.encoding = encoding
    scanner = HTMLMetaScanner(isXML: isXML)
  }

  /// Takes a piece of the document and returns what can go out.
  mutating func push(_ bytes: [UInt8]) -> [UInt8] {
    if isOver { return bytes }
    if held.isEmpty { held = bytes } else { held += bytes }
    var output: [UInt8] = []
    var writtenCount = 0
    var passedCount = 0
    while !isOver, readCount + encoding.unitByteCount <= held.count {
      let unit = encoding.unit(in: held, at: readCount)
      readCount += encoding.unitByteCount
      switch scanner.read(unit) {
      case .undecided: break
      case .passed: passedCount = readCount
      case .meta:
        output += held[writtenCount..<passedCount] + mended(Array(held[passedCount..<readCount]))
        passedCount = readCount
        writtenCount = readCount
      case .over: isOver = true
      }
    }
    if held.count - passedCount > Self.heldByteCount { isOver = true }
    if isOver {
      defer { held = [] }
      if writtenCount == 0 { return held }
      output += held[writtenCount...]
    } else {
      output += held[writtenCount..<passedCount]
      held.removeFirst(passedCount)
      readCount -= passedCount
    }
    return output
  }

  /// The document is complete: returns the rest of it.
  mutating func finish() -> [UInt8] {
    isOver = true
    defer { held = [] }
    return held
  }

  /// A whole `meta` tag with what it has of a policy mended.
  private mutating func mended(_ bytes: [UInt8]) -> [UInt8] {
    let tag = stride(from: 0, to: bytes.count, by: encoding.unitByteCount).map { encoding.unit(in: bytes, at: $0) }
    let attributes = HTMLAttribute.all(of: tag)
    func attribute(_ name: String) -> HTMLAttribute? { attributes.first { $0.name == Array(name.utf16) } }
    guard let kind = attribute("http-equiv"), let content = attribute("content"),
      Self.decoded(tag[kind.value]).lowercased() == "content-security-policy"
    else { return bytes }
    let before = Self.decoded(tag[content.value])
    let after = policy.mend(before)
    guard after != before else { return bytes }
    hasMended = true
    let quote = content.quote ?? .doubleQuote
    let value = Self.encoded(after, within: quote)
    let units =
      tag[..<content.value.lowerBound] + (content.quote == nil ? [quote] + value + [quote] : value)
      + tag[content.value.upperBound...]
    return units.flatMap { encoding.bytes(of: $0) }
  }

  /// The text of an attribute's value. Of character references those are resolved that policies are written with; others stay, as they do
  /// when the value is written again. A unit is a character: what is beyond ASCII is only carried along.
  private static func decoded(_ value: ArraySlice<UInt16>) -> String {
    var scalars = String.UnicodeScalarView()
    for unit in value { scalars.append(Unicode.Scalar(unit) ?? " ") }
    return String(scalars).replacing(/&(?:#0*(39|34);|#[xX]0*(27|22);|(quot|apos);)/) { match in
      ["34", "22", "quot"].contains(match.output.1 ?? match.output.2 ?? match.output.3 ?? "") ? "\"" : "'"
    }
  }

  private static func encoded(_ text: String, within quote: UInt16) -> [UInt16] {
    let reference = Array((quote == .doubleQuote ? "&quot;" : "&#39;").utf16)
    return text.unicodeScalars.flatMap { scalar in
      let unit = UInt16(truncatingIfNeeded: scalar.value)
      return unit == quote ? reference : [unit]
    }
  }
}
