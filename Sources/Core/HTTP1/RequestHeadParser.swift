import HTTPTypes

/// Parses one request head from a connection's bytes.
struct RequestHeadParser: Sendable {
  /// The three parts of the request line.
  private struct RequestLine {
    let method: HTTPRequest.Method
    let target: RequestTarget
    let version: HTTPVersion

    init(parsing line: ArraySlice<UInt8>) throws(MessageDefect) {
      let parts = line.split(separator: .space, maxSplits: 3, omittingEmptySubsequences: false)
      guard parts.count == 3 else { throw .malformedRequestLine }
      guard let method = HTTPRequest.Method(String(decoding: parts[0], as: UTF8.self)) else { throw .invalidMethod }
      version = try HTTPVersion(parsing: parts[2])
      guard let target = RequestTarget(parsing: parts[1], method: method) else { throw .invalidTarget }
      self.method = method
      self.target = target
    }
  }

  private let limits: HTTP1Limits
  private var emptyLines = 0
  private var requestLine: RequestLine?
  private var section: FieldSectionParser
  private let earlier: HTTPFields

  /// Creates a parser. `earlier` are the fields of the previous head on the connection (``FieldSectionParser``).
  init(limits: HTTP1Limits, earlier: HTTPFields = HTTPFields()) {
    self.limits = limits
    self.earlier = earlier
    section = FieldSectionParser(maximumBytes: 0, maximumFields: 0, excess: .headTooLarge)
  }

  /// Whether the request line has been read, but not yet all fields.
  var hasRequestLine: Bool { requestLine != nil }

  /// Whether nothing of the head has been read.
  var isAtStart: Bool { requestLine == nil && emptyLines == 0 }

  /// Reads on. Returns the head when it is complete; nil when it needs more bytes.
  mutating func next(from input: inout InputBuffer) throws(MessageDefect) -> RequestHead? {
    while requestLine == nil {
      let maximum = min(limits.startLineBytes, limits.headBytes - 2)
      guard let line = try input.takeLine(of: .visible, maximum: maximum, orThrow: .requestLineTooLong) else {
        return nil
      }
      if line.isEmpty {
        guard emptyLines < limits.leadingEmptyLines else { throw .tooManyEmptyLines }
        emptyLines += 1
        continue
      }
      requestLine = try RequestLine(parsing: line)
      section = FieldSectionParser(
        maximumBytes: limits.headBytes - line.count - 2, maximumFields: limits.fieldCount, excess: .headTooLarge,
        earlier: earlier)
    }
    guard let requestLine, let fields = try section.next(from: &input) else { return nil }
    return try RequestHead(
      method: requestLine.method, target: requestLine.target, version: requestLine.version, fields: fields)
  }
}
