/// Puts a script into an HTML document as the first element of its head, and lets it through the policies that follow there, while the
/// document passes: what is held back is at most the construct (a tag, a comment) that is not complete yet.
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
    /// The first bytes may tell the encoding.
    case sniffing
    /// Looking for the place.
    case scanning(HTMLEncoding)
    /// The script is in, or there is no place for it.
    case done
  }

  /// How many bytes are held back for one construct. A longer one passes; should it never end, the script comes too late for a document
  /// that has nothing else.
  static let heldByteCount = 64 << 10

  private let script: String
  private let contentType: String
  private let isXML: Bool
  private let policy: ContentSecurityPolicy?
  private var scanner: Scanner
  private var state = State.sniffing
  private var mender: HTMLPolicyMender?
  /// What has come and is not handed out.
  private var held: [UInt8] = []
  /// How much of it the scanner has read.
  private var readCount = 0

  /// Creates the injector of one document.
  /// - Parameters:
  ///   - script: the attributes of the script element, in ASCII.
  ///   - contentType: the document's `Content-Type`.
  ///   - policy: what the policies in the document's head must let through; nil leaves them.
  package init(scriptAttributes: String, contentType: String, policy: ContentSecurityPolicy? = nil) {
    isXML = HTMLMediaType.isXHTML(contentType)
    // In XML an element has no meaning without its namespace, which the document may have given a prefix.
    script = "<script\(isXML ? " xmlns=\"http://www.w3.org/1999/xhtml\"" : "") \(scriptAttributes)></script>"
    self.contentType = contentType
    self.policy = policy
    scanner = isXML ? .xhtml(XHTMLHeadScanner()) : .html(HTMLHeadScanner())
  }

  /// Whether a policy in the document's head was changed.
  package var hasMendedPolicy: Bool { mender?.hasMended ?? false }

  /// Takes a piece of the document and returns what can go out.
  package mutating func push(_ bytes: [UInt8]) -> [UInt8] {
    if case .done = state { return mender?.push(bytes) ?? bytes }
    if held.isEmpty { held = bytes } else { held += bytes }
    return scan(isComplete: false)
  }

  /// The document is complete: returns the rest of it.
  package mutating func finish() -> [UInt8] {
    if case .done = state { return mender?.finish() ?? [] }
    let passed = scan(isComplete: true)
    defer { held = [] }
    if case .done = state { return passed + (mender?.finish() ?? []) }
    guard case .scanning(let encoding) = state else { return passed + held }
    state = .done
    // Whatever is not complete counts for nothing: the parser opens the head at the end.
    return passed + (isXML ? [] : encoding.encode(script)) + held
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
    let element = encoding.encode(script)
    let rest = Array(held[offset...])
    var output: [UInt8] = []
    output.reserveCapacity(held.count + element.count)
    output += held[..<offset]
    output += element
    output += mender?.push(rest) ?? rest
    return output
  }

  private mutating func take(_ count: Int) -> [UInt8] {
    let taken = Array(held[..<count])
    held.removeFirst(count)
    readCount -= count
    return taken
  }
}
