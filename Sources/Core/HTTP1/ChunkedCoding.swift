public import HTTPTypes

/// Decodes a chunked body and its trailer section (RFC 9112, section 7.1). Ignores chunk extensions, but refuses
/// malformed ones.
struct ChunkedDecoder: Sendable {
  /// The result of one step.
  enum Step {
    /// More bytes are needed.
    case needsMoreBytes
    /// A piece of the body, not necessarily a whole chunk.
    case data([UInt8])
    /// The body is complete.
    case end(trailers: HTTPFields)
  }

  private enum State {
    /// Before the line with a chunk's size.
    case size
    /// Within a chunk's data; this many bytes remain.
    case data(remaining: Int)
    /// Before the CRLF after a chunk's data.
    case dataEnd
    /// After the last chunk.
    case trailers
  }

  private let limits: HTTP1Limits
  private var state = State.size
  private var extensionBytes = 0
  private var trailers: FieldSectionParser

  init(limits: HTTP1Limits) {
    self.limits = limits
    trailers = FieldSectionParser(
      maximumBytes: limits.trailerBytes, maximumFields: limits.fieldCount, excess: .trailersTooLarge)
  }

  /// Reads the next piece. Call it until it returns ``Step/needsMoreBytes`` or ``Step/end(trailers:)``.
  mutating func next(from input: inout InputBuffer) throws(MessageDefect) -> Step {
    while true {
      switch state {
      case .size:
        let maximum = limits.chunkLineBytes
        guard let line = try input.takeLine(of: .fieldContent, maximum: maximum, orThrow: .chunkLineTooLong) else {
          return .needsMoreBytes
        }
        let size = try readSize(line)
        state = size == 0 ? .trailers : .data(remaining: size)
      case .data(let remaining):
        guard !input.isEmpty else { return .needsMoreBytes }
        let data = input.take(upTo: remaining)
        state = data.count == remaining ? .dataEnd : .data(remaining: remaining - data.count)
        return .data(data)
      case .dataEnd:
        guard try input.takeLine(of: .fieldContent, maximum: 0, orThrow: .missingChunkEnd) != nil else {
          return .needsMoreBytes
        }
        state = .size
      case .trailers:
        guard let fields = try trailers.next(from: &input) else { return .needsMoreBytes }
        guard fields.mayBeTrailers else { throw .forbiddenTrailer }
        return .end(trailers: fields)
      }
    }
  }

  private mutating func readSize(_ line: ArraySlice<UInt8>) throws(MessageDefect) -> Int {
    let digits = line.prefix { $0.hexadecimalValue != nil }
    guard !digits.isEmpty else { throw .malformedChunkSize }
    var size = 0
    for digit in digits {
      let (shifted, overflow) = size.multipliedReportingOverflow(by: 16)
      guard !overflow else { throw .chunkTooLarge }
      size = shifted + (digit.hexadecimalValue ?? 0)
    }
    let extensions = line[digits.endIndex...]
    guard Self.areExtensions(extensions) else { throw .malformedChunkSize }
    extensionBytes += extensions.count
    guard extensionBytes <= limits.chunkExtensionBytes else { throw .chunkExtensionsTooLong }
    return size
  }

  /// Whether the bytes are zero or more extensions, `; name` or `; name = value` (RFC 9112, section 7.1.1).
  private static func areExtensions(_ bytes: ArraySlice<UInt8>) -> Bool {
    var rest = bytes
    while !rest.isEmpty {
      rest = rest.drop(while: \.isWhitespace)
      guard rest.popFirst() == .semicolon else { return false }
      rest = rest.drop(while: \.isWhitespace)
      guard rest.first?.isToken == true else { return false }
      rest = rest.drop(while: \.isToken)
      let afterName = rest.drop(while: \.isWhitespace)
      guard afterName.first == UInt8(ascii: "=") else { continue }
      rest = afterName.dropFirst().drop(while: \.isWhitespace)
      if rest.first == .doubleQuote {
        guard let afterString = rest.afterQuotedString else { return false }
        rest = afterString
      } else {
        guard rest.first?.isToken == true else { return false }
        rest = rest.drop(while: \.isToken)
      }
    }
    return true
  }

  /// Fields that control framing, routing or the connection. They are not allowed in trailers: a recipient that merges
  /// trailers into the head would read a different message (RFC 9110, section 6.5.1).
  static let forbiddenTrailers: Set<HTTPField.Name> = [
    .connection, .contentLength, .expect, .hostField, .te, .trailer, .transferEncoding, .upgrade,
  ]
}

extension HTTPFields {
  /// Whether none of the fields is forbidden in trailers (RFC 9110, section 6.5.1).
  package var mayBeTrailers: Bool {
    !contains { ChunkedDecoder.forbiddenTrailers.contains($0.name) }
  }
}

extension ArraySlice<UInt8> {
  /// The bytes after a leading quoted string (RFC 9110, section 5.6.4); nil when there is no complete one.
  var afterQuotedString: ArraySlice<UInt8>? {
    guard first == .doubleQuote else { return nil }
    var index = startIndex + 1
    while index < endIndex {
      switch self[index] {
      case .doubleQuote: return self[(index + 1)...]
      case UInt8(ascii: "\\"): index += 2
      default: index += 1
      }
    }
    return nil
  }
}

/// Encodes a chunked body (RFC 9112, section 7.1).
public enum ChunkedEncoder {
  /// Encodes one chunk. Returns no bytes for empty data, since a chunk of size 0 ends the body.
  public static func chunk(_ data: [UInt8]) -> [UInt8] {
    guard !data.isEmpty else { return [] }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(data.count + 20)
    bytes += String(data.count, radix: 16).utf8
    bytes.appendLineEnd()
    bytes += data
    bytes.appendLineEnd()
    return bytes
  }

  /// Encodes the last chunk and the trailer section. Leaves out fields that are not allowed in trailers (RFC 9110,
  /// section 6.5.1).
  public static func end(trailers: HTTPFields = [:]) -> [UInt8] {
    var bytes: [UInt8] = [UInt8(ascii: "0")]
    bytes.appendLineEnd()
    bytes.append(fields: trailers.filter { !ChunkedDecoder.forbiddenTrailers.contains($0.name) })
    return bytes
  }
}
