import HTTP1
import HTTPTypes

/// Converts the head of an HTTP/2 request to HTTP/1.1 (RFC 9113, section 8.3.1), so that handlers see one form only.
///
/// nghttp2 has checked the pseudo-header fields and the bytes of names. The rest is checked as strictly as in HTTP/1.1.
struct HTTP2Request {
  private var method: HTTPRequest.Method?
  private var path: [UInt8]?
  private var authority: [UInt8]?
  private var host: [UInt8]?
  private var cookies: [[UInt8]] = []
  private var fields: [HTTPField] = []

  /// Reads the fields of a request.
  ///
  /// - Parameters:
  ///   - fields: All fields of the section, in order.
  ///   - hasBody: Whether a body follows.
  ///   - limits: The limits of the request.
  /// - Returns: The head. Nil to reset the stream, if the request is a CONNECT (supported over HTTP/1.1 only), has no
  ///   host or two different ones, or has a byte that no HTTP/1.1 message could have there: a space in the path, or a
  ///   control byte in a field value.
  /// - Throws: Another rule that the request breaks. Answer it as in HTTP/1.1.
  static func head(
    _ fields: [HTTP2Field], hasBody: Bool, limits: HTTP1Limits
  ) throws(MessageDefect) -> RequestHead? {
    var request = HTTP2Request()
    request.fields.reserveCapacity(fields.count + 2)
    for field in fields {
      guard request.add(field) else { return nil }
    }
    return try request.head(hasBody: hasBody, limits: limits)
  }

  private mutating func add(_ field: HTTP2Field) -> Bool {
    guard field.value.allSatisfy(\.isFieldContent) else { return false }
    let name = String(decoding: field.name, as: UTF8.self)
    switch name {
    case ":method": method = HTTPRequest.Method(String(decoding: field.value, as: UTF8.self))
    case ":path": path = field.value
    case ":authority": authority = field.value
    case _ where name.utf8.first == UInt8(ascii: ":"): break
    case "host": host = field.value
    case "cookie": cookies.append(field.value)
    default:
      guard let name = HTTPField.Name(name) else { return false }
      fields.append(HTTPField(name: name, bytes: field.value[...]))
    }
    return true
  }

  private func head(hasBody: Bool, limits: HTTP1Limits) throws(MessageDefect) -> RequestHead? {
    guard let method, method != .connect, let path, let authority = authority ?? host,
      host == nil || host == authority
    else { return nil }
    let rawMethod = method.rawValue
    guard rawMethod.utf8.count + path.count + Self.versionBytes <= limits.startLineBytes else {
      throw .requestLineTooLong
    }
    guard !path.contains(.space) else { return nil }
    guard path.allSatisfy(\.isVisible) else { throw .invalidByte }
    guard let target = RequestTarget(String(decoding: path, as: UTF8.self), method: method) else {
      throw .invalidTarget
    }
    var all = [HTTPField(name: .hostField, bytes: authority[...])] + fields
    // HTTP/2 clients may send each cookie in a field of its own (RFC 9113, section 8.2.3).
    if !cookies.isEmpty {
      all.append(HTTPField(name: .cookie, bytes: Array(cookies.joined(separator: "; ".utf8))[...]))
    }
    if hasBody, !fields.contains(where: { $0.name == .contentLength }) {
      all.append(HTTPField(name: .transferEncoding, value: "chunked"))
    }
    return try RequestHead(method: method, target: target, fields: HTTPFields(inOrder: all))
  }

  /// The size of the other parts of a request line: two spaces and the version.
  private static let versionBytes = 10
}

extension HTTPFields {
  /// Converts the fields of a trailer section. Leaves out fields whose names are not tokens.
  init(trailers: [HTTP2Field]) {
    var fields: [HTTPField] = []
    for field in trailers {
      guard let name = HTTPField.Name(String(decoding: field.name, as: UTF8.self)) else { continue }
      fields.append(HTTPField(name: name, value: field.value))
    }
    self.init(inOrder: fields)
  }
}
