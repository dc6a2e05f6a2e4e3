import CNghttp2
import HTTP1
import HTTPTypes

/// A field section to send: the header section of a message, or its trailers. Pseudo-header fields come first, and
/// names are in lower case (RFC 9113, section 8.2).
///
/// One array holds all names and values, which saves allocations.
struct HTTP2FieldSection {
  private var bytes: [UInt8] = []
  private var sizes: [(name: Int, value: Int)] = []

  /// Creates a section without fields.
  init() {}

  /// The fields of a response (RFC 9113, section 8.3.2).
  init(_ status: HTTPResponse.Status, _ fields: HTTPFields) {
    reserve(fields)
    append(":status", String(status.code))
    append(fields)
  }

  /// A trailer section.
  init(trailers: HTTPFields) {
    append(trailers)
  }

  /// The fields of a request over https (RFC 9113, section 8.3.1). Nil for a CONNECT, and for a target that is not
  /// valid for the method.
  init?(_ head: RequestHead) {
    guard RequestTarget(head.target.rawValue, method: head.method) == head.target else { return nil }
    let path: String
    switch head.target {
    case .origin, .absolute: path = (head.target.path ?? "/") + (head.target.query.map { "?" + $0 } ?? "")
    case .asterisk: path = "*"
    case .authority: return nil
    }
    reserve(head.fields)
    append(":method", head.method.rawValue)
    append(":scheme", "https")
    if let authority = head.authority { append(":authority", authority.rawValue) }
    append(":path", path)
    for field in head.fields where field.name != .hostField {
      guard field.name == .te else {
        append(field)
        continue
      }
      let options = field.value.lowercased().split(separator: ",")
      if options.contains(where: { $0.utf8.trimmingWhitespace.elementsEqual("trailers".utf8) }) {
        append("te", "trailers")
      }
    }
  }

  /// Whether there are no fields.
  var isEmpty: Bool { sizes.isEmpty }

  /// Calls `body` with the fields in nghttp2's form and their number. They are valid during the call only; nghttp2
  /// copies them.
  func withPointers<Result>(_ body: (UnsafePointer<nghttp2_nv>?, Int) -> Result) -> Result {
    var bytes = bytes
    return bytes.withUnsafeMutableBufferPointer { bytes in
      var next = bytes.baseAddress
      let pairs = sizes.map { size in
        var pair = nghttp2_nv()
        pair.name = next
        pair.namelen = size.name
        pair.value = next.map { $0 + size.name }
        pair.valuelen = size.value
        next = next.map { $0 + size.name + size.value }
        return pair
      }
      return body(pairs, pairs.count)
    }
  }

  private mutating func reserve(_ fields: HTTPFields) {
    bytes.reserveCapacity(64 + fields.count * 48)
    sizes.reserveCapacity(fields.count + 4)
  }

  private mutating func append(_ name: String, _ value: String) {
    bytes += name.utf8
    bytes += value.utf8
    sizes.append((name.utf8.count, value.utf8.count))
  }

  /// Appends the fields of an HTTP/1.1 message, without those that concern the connection (RFC 9113, section 8.2.2).
  private mutating func append(_ fields: HTTPFields) {
    for field in fields { append(field) }
  }

  /// Appends a field, unless it concerns the connection. A control byte in its value becomes a space, as in
  /// `HeadEncoder`.
  private mutating func append(_ field: HTTPField) {
    guard !field.name.concernsConnection else { return }
    let name = field.name.canonicalName
    bytes += name.utf8
    let start = bytes.count
    field.withUnsafeBytesOfValue { value in
      let value = value.trimmingWhitespace
      if value.allSatisfy(\.isFieldContent) {
        bytes += value
      } else {
        bytes += value.lazy.map { $0.isFieldContent ? $0 : .space }
      }
    }
    sizes.append((name.utf8.count, bytes.count - start))
  }
}
