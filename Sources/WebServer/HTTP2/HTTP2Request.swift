import HTTP1
import HTTPTypes

/// A request of HTTP/2 as a message of HTTP/1.1 (RFC 9113, section 8.3.1), for the same strict parser that all requests go through.
struct HTTP2Request: Sendable {
  /// The method.
  let method: HTTPRequest.Method
  /// The head in HTTP/1.1.
  let head: [UInt8]
  /// Whether the body is chunked, because its length is not known.
  let isChunked: Bool

  /// Translates the fields of a request. Returns nil if HTTP/1.1 cannot express them: a CONNECT, two different hosts, or a byte that
  /// would end a line.
  init?(_ fields: [HTTP2Field], hasBody: Bool) {
    var pseudo: [String: [UInt8]] = [:]
    var host: [UInt8]?
    var cookies: [[UInt8]] = []
    var lines: [UInt8] = []
    var hasLength = false
    for field in fields {
      guard !field.value.contains(where: { $0 == 0x0A || $0 == 0x0D || $0 == 0 }) else { return nil }
      let name = String(decoding: field.name, as: UTF8.self)
      if name.hasPrefix(":") {
        pseudo[name] = field.value
      } else if name == "host" {
        host = field.value
      } else if name == "cookie" {
        cookies.append(field.value)
      } else {
        if name == "content-length" { hasLength = true }
        Self.append(field.name, field.value, to: &lines)
      }
    }
    guard let method = pseudo[":method"].flatMap({ HTTPRequest.Method(String(decoding: $0, as: UTF8.self)) }),
      method != .connect, let path = pseudo[":path"], !path.contains(0x20),
      let authority = pseudo[":authority"] ?? host,
      host == nil || host == authority
    else { return nil }
    self.method = method
    isChunked = hasBody && !hasLength
    var head = Array(method.rawValue.utf8) + [0x20] + path + Array(" HTTP/1.1\r\n".utf8)
    Self.append(Array("host".utf8), authority, to: &head)
    head += lines
    // HTTP/2 may have each cookie in a field of its own (RFC 9113, section 8.2.3).
    if !cookies.isEmpty {
      Self.append(Array("cookie".utf8), Array(cookies.joined(separator: Array("; ".utf8))), to: &head)
    }
    if isChunked { Self.append(Array("transfer-encoding".utf8), Array("chunked".utf8), to: &head) }
    self.head = head + [0x0D, 0x0A]
  }

  private static func append(_ name: [UInt8], _ value: [UInt8], to lines: inout [UInt8]) {
    lines += name + [0x3A, 0x20] + value + [0x0D, 0x0A]
  }
}

extension HTTPFields {
  /// The fields of trailers.
  init(trailers: [HTTP2Field]) {
    self.init()
    for field in trailers {
      guard let name = HTTPField.Name(String(decoding: field.name, as: UTF8.self)) else { continue }
      append(HTTPField(name: name, value: field.value))
    }
  }
}

extension [HTTP2Field] {
  /// The fields of a response (RFC 9113, section 8.3.2).
  init(_ head: ResponseHead) {
    self = [HTTP2Field(":status", "\(head.status.code)")]
    append(contentsOf: [HTTP2Field](head.fields))
  }

  /// The fields of a request over https (RFC 9113, section 8.3.1). Nil for a form of target that HTTP/2 does not have.
  init?(_ head: RequestHead) {
    guard RequestTarget(head.target.rawValue, method: head.method) == head.target else { return nil }
    let path: String
    switch head.target {
    case .origin, .absolute: path = (head.target.path ?? "/") + (head.target.query.map { "?" + $0 } ?? "")
    case .asterisk: path = "*"
    case .authority: return nil
    }
    self = [HTTP2Field(":method", head.method.rawValue), HTTP2Field(":scheme", "https")]
    if let authority = head.authority { append(HTTP2Field(":authority", authority.rawValue)) }
    append(HTTP2Field(":path", path))
    for field in [HTTP2Field](head.fields) where !field.name.elementsEqual("host".utf8) {
      guard field.name.elementsEqual("te".utf8) else {
        append(field)
        continue
      }
      let options = String(decoding: field.value, as: UTF8.self).lowercased().split(separator: ",")
      if options.contains(where: { $0.utf8.trimmingWhitespace.elementsEqual("trailers".utf8) }) {
        append(HTTP2Field("te", "trailers"))
      }
    }
  }

  /// Removes the fields that concern a connection of HTTP/1.1 (RFC 9113, section 8.2.2).
  init(_ fields: HTTPFields) {
    let connection = ["connection", "keep-alive", "proxy-connection", "transfer-encoding", "upgrade", "http2-settings"]
    self = fields.filter { !connection.contains($0.name.canonicalName) }.map { HTTP2Field($0) }
  }
}

extension HTTP2Field {
  /// A field of our own.
  fileprivate init(_ name: String, _ value: String) {
    self.init(name: Array(name.utf8), value: Array(value.utf8))
  }

  /// A field of HTTP/1.1. A control byte becomes a space, as there.
  fileprivate init(_ field: HTTPField) {
    let value = field.withUnsafeBytesOfValue { bytes in bytes.map { $0.isFieldContent ? $0 : .space } }
    self.init(name: Array(field.name.canonicalName.utf8), value: Array(value.trimmingWhitespace))
  }
}
