import HTTPTypes

/// Parses one response head from a connection's bytes.
struct ResponseHeadParser: Sendable {
  /// The parts of the status line. Accepts one without the reason phrase and the space before it, since many servers
  /// leave them out.
  private struct StatusLine {
    let version: HTTPVersion
    let status: HTTPResponse.Status

    init(parsing line: ArraySlice<UInt8>) throws(MessageDefect) {
      let parts = line.split(separator: .space, maxSplits: 2, omittingEmptySubsequences: false)
      guard parts.count >= 2 else { throw .malformedStatusLine }
      version = try HTTPVersion(parsing: parts[0])
      guard parts[1].count == 3, parts[1].allSatisfy(\.isDigit),
        let code = Int(String(decoding: parts[1], as: UTF8.self)), (100...599).contains(code)
      else { throw .malformedStatusLine }
      status = HTTPResponse.Status(code: code, reasonPhrase: parts.count == 3 ? Self.text(parts[2]) : "")
    }

    /// Decodes ISO Latin 1.
    private static func text(_ bytes: ArraySlice<UInt8>) -> String {
      if bytes.allSatisfy({ $0 < 0x80 }) { return String(decoding: bytes, as: UTF8.self) }
      var text = String.UnicodeScalarView()
      text.append(contentsOf: bytes.map { Unicode.Scalar($0) })
      return String(text)
    }
  }

  private let limits: HTTP1Limits
  private let requestMethod: HTTPRequest.Method
  private var statusLine: StatusLine?
  private var section: FieldSectionParser
  private let earlier: HTTPFields

  /// Creates a parser. `earlier` are the fields of the previous head on the connection (``FieldSectionParser``).
  init(limits: HTTP1Limits, requestMethod: HTTPRequest.Method, earlier: HTTPFields = HTTPFields()) {
    self.limits = limits
    self.earlier = earlier
    self.requestMethod = requestMethod
    section = FieldSectionParser(maximumBytes: 0, maximumFields: 0, excess: .headTooLarge)
  }

  /// Whether the status line has been read, but not yet all fields.
  var hasStatusLine: Bool { statusLine != nil }

  /// Reads on. Returns the head when it is complete; nil when it needs more bytes.
  mutating func next(from input: inout InputBuffer) throws(MessageDefect) -> ResponseHead? {
    if statusLine == nil {
      let maximum = min(limits.startLineBytes, limits.headBytes - 2)
      guard let line = try input.takeLine(of: .fieldContent, maximum: maximum, orThrow: .headTooLarge) else {
        return nil
      }
      statusLine = try StatusLine(parsing: line)
      section = FieldSectionParser(
        maximumBytes: limits.headBytes - line.count - 2, maximumFields: limits.fieldCount, excess: .headTooLarge,
        earlier: earlier)
    }
    guard let statusLine, var fields = try section.next(from: &input) else { return nil }
    let lengths = fields[values: .contentLength].flatMap {
      $0.utf8.split(separator: .comma, omittingEmptySubsequences: false).map { Array($0.trimmingWhitespace) }
    }
    if let first = lengths.first, lengths.count > 1, lengths.allSatisfy({ $0 == first }),
      input.mends(.repeatedContentLength)
    {
      // RFC 9112, section 6.3: a recipient may treat equal values as one.
      fields[.contentLength] = String(decoding: first, as: UTF8.self)
    }
    var head = try ResponseHead(
      status: statusLine.status, version: statusLine.version, fields: fields, inResponseTo: requestMethod)
    head.mended = input.mended
    return head
  }
}
