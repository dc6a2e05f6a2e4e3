/// Inserts a script into an HTML document as the first element of its head, and adds to the policies that follow in the
/// head what the script needs. It works on a stream, and holds back at most one incomplete construct (a tag or a
/// comment).
///
/// ```swift
/// var injector = HTMLInjector(scriptAttributes: Array("src=/shim.js".utf8), contentType: "text/html")
/// var output = injector.push(Array("<!doctype html><head><title>Shop</title>".utf8))
/// output += injector.finish()  // <!doctype html><head><script src=/shim.js></script><title>Shop</title>
/// ```
package struct HTMLInjector {
  private enum Scanner {
    case html(HTMLHeadScanner)
    case xhtml(XHTMLHeadScanner)

    mutating func read(_ unit: UInt16) -> HTMLHeadScanner.Verdict {
      switch self {
      case .html(var scanner):
        defer { self = .html(scanner) }
        return scanner.read(unit)
      case .xhtml(var scanner):
        defer { self = .xhtml(scanner) }
        return scanner.read(unit)
      }
    }
  }

  private enum State {
    /// The encoding is not known yet.
    case sniffing
    /// The place for the script is not found yet.
    case scanning(HTMLEncoding)
    /// The script is inserted, or the document has ended.
    case done
  }

  /// How many bytes to hold back at most for one construct. The beginning of a longer construct is sent on; if it never
  /// ends, the script comes at the end of the document.
  static let heldByteCount = 64 << 10

  /// The script element up to its text.
  private let startTag: [UInt8]
  private let scriptText: [UInt8]
  private let contentType: String
  private let isXML: Bool
  private let policy: ContentSecurityPolicy?
  private var scanner: Scanner
  private var state = State.sniffing
  private var mender: HTMLPolicyMender?
  /// Bytes that were taken and not returned yet.
  private var held: [UInt8] = []
  /// How many of these bytes the scanner has read.
  private var readCount = 0

  /// Creates the injector of one document.
  /// - Parameters:
  ///   - scriptAttributes: The attributes of the script element, in ASCII.
  ///   - scriptText: The text of the element, in ASCII. It contains neither `</script` nor `<!--`. XHTML must have none.
  ///   - contentType: The document's `Content-Type`.
  ///   - policy: What to add to the policies in the document's head; nil to leave them unchanged.
  package init(
    scriptAttributes: [UInt8], scriptText: [UInt8] = [], contentType: String, policy: ContentSecurityPolicy? = nil
  ) {
    isXML = HTMLMediaType.isXHTML(contentType)
    // In XML, an element needs its namespace, for which the document may use a prefix.
    let name = isXML ? "<script xmlns=\"http://www.w3.org/1999/xhtml\" " : "<script "
    startTag = name.utf8 + scriptAttributes + [UInt8(ascii: ">")]
    self.scriptText = scriptText
    self.contentType = contentType
    self.policy = policy
    scanner = isXML ? .xhtml(XHTMLHeadScanner()) : .html(HTMLHeadScanner())
  }

  /// Whether a policy in the document's head was changed.
  package var hasMendedPolicy: Bool { mender?.hasMended ?? false }

  /// Takes a piece of the document, and returns the bytes that can be sent on.
  package mutating func push(_ bytes: [UInt8]) -> [UInt8] {
    if case .done = state { return mender?.push(bytes) ?? bytes }
    if held.isEmpty { held = bytes } else { held += bytes }
    return scan(isComplete: false)
  }

  /// Ends the document, and returns the rest of its bytes.
  package mutating func finish() -> [UInt8] {
    if case .done = state { return mender?.finish() ?? [] }
    let passed = scan(isComplete: true)
    defer { held = [] }
    if case .done = state { return passed + (mender?.finish() ?? []) }
    guard case .scanning(let encoding) = state else { return passed + held }
    state = .done
    // The parser ignores an incomplete construct, and opens the head at the end of the document.
    return passed + (isXML ? [] : element(encoding)) + held
  }

  private mutating func scan(isComplete: Bool) -> [UInt8] {
    var passedCount = 0
    if case .sniffing = state {
      guard let (encoding, markByteCount) = HTMLEncoding.sniff(held, contentType: contentType, isComplete: isComplete)
      else { return [] }
      readCount = markByteCount
      passedCount = markByteCount
      state = .scanning(encoding)
    }
    guard case .scanning(let encoding) = state else { return [] }
    while readCount + encoding.unitByteCount <= held.count {
      let unit = encoding.unit(in: held, at: readCount)
      readCount += encoding.unitByteCount
      switch scanner.read(unit) {
      case .undecided: break
      case .passed: passedCount = readCount
      case .insertBefore: return insert(at: passedCount, encoding)
      case .insertAfter: return insert(at: readCount, encoding)
      }
    }
    if readCount - passedCount > Self.heldByteCount { passedCount = readCount }
    return take(passedCount)
  }

  private mutating func insert(at offset: Int, _ encoding: HTMLEncoding) -> [UInt8] {
    state = .done
    defer { held = [] }
    mender = policy.map { HTMLPolicyMender($0, encoding: encoding, isXML: isXML) }
    let element = element(encoding)
    let rest = Array(held[offset...])
    var output: [UInt8] = []
    output.reserveCapacity(held.count + element.count)
    output += held[..<offset]
    output += element
    output += mender?.push(rest) ?? rest
    return output
  }

  private func element(_ encoding: HTMLEncoding) -> [UInt8] {
    var element = encoding.encode(startTag)
    let endTag = "</script>".utf8
    element.reserveCapacity(element.count + (scriptText.count + endTag.count) * encoding.unitByteCount)
    element += encoding == .asciiCompatible ? scriptText : encoding.encode(scriptText)
    element += encoding.encode(endTag)
    return element
  }

  private mutating func take(_ count: Int) -> [UInt8] {
    let taken = Array(held[..<count])
    held.removeFirst(count)
    readCount -= count
    return taken
  }
}
