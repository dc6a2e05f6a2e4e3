import HTTP1
import HTTPTypes

/// The answer to a client that speaks plain HTTP on a TLS port.
enum PlainHTTPAnswer {
  /// Whether a connection that begins with this byte may be plain HTTP: methods begin with a letter, and TLS records do
  /// not.
  static func isHTTP(_ first: UInt8) -> Bool {
    (0x41...0x5A).contains(first & ~0x20)
  }

  /// The whole response, with its body.
  static let bytes: [UInt8] = {
    let text = "This port expects https, but the request is plain http. Begin the address with https://.\n"
    let fields: HTTPFields = [
      .contentType: "text/plain; charset=utf-8", .contentLength: String(text.utf8.count), .connection: "close",
    ]
    return HeadEncoder.encode(.badRequest, fields: fields) + Array(text.utf8)
  }()
}
