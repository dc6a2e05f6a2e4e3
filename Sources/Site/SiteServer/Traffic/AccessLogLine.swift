import BridgeRuntime
import Essentials
import HTTP1
import HTTPTypes

/// A line of the access log, in the "combined" format of Apache and nginx. It contains no secrets: no cookies, no authorization, and no
/// secrets in addresses.
///
///     127.0.0.1 - - [23/Nov/2026:14:17:45 +0000] "GET /cart?id=7 HTTP/1.1" 200 5120 "http://localhost:8080/" "Mozilla/5.0"
struct AccessLogLine {
  /// The line, with the line feed.
  let bytes: [UInt8]

  /// Writes the line of an exchange.
  init(_ seen: SeenExchange) {
    // If there are several sites, the path alone does not tell the site.
    let target = PublicText.address(seen.isForwarded ? seen.address : seen.head.target.rawValue)
    let request = "\(seen.head.method.rawValue) \(target) \(seen.protocolName)"
    let size = seen.responseBody.byteCount == 0 ? "-" : "\(seen.responseBody.byteCount)"
    let referer = seen.head.fields.value(of: .referer).map { PublicText.address($0) }
    let parts = [
      seen.peerAddress ?? "-", "-", "-", "[\(Self.time(seen.start))]", Self.quoted(request),
      "\((seen.status ?? .clientClosedRequest).code)", size, Self.quoted(referer ?? "-"),
      Self.quoted(seen.head.fields.value(of: .userAgent) ?? "-"),
    ]
    bytes = Array((parts.joined(separator: " ") + "\n").utf8)
  }

  /// `23/Nov/2026:14:17:45 +0000`
  private static func time(_ instant: BridgeInstant) -> String {
    // `Mon, 23 Nov 2026 14:17:45 GMT`
    let date = HTTPDate(secondsSinceEpoch: Int(instant.millisecondsSinceEpoch / 1000)).description.split(separator: " ")
    return date[1...3].joined(separator: "/") + ":" + date[4] + " +0000"
  }

  /// A text in quotation marks. Characters are escaped that could end the quotation or the line, or control a terminal.
  private static func quoted(_ text: String) -> String {
    var quoted = "\""
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): quoted += "\\" + String(Unicode.Scalar(byte))
      case 0x20...0x7E: quoted.unicodeScalars.append(Unicode.Scalar(byte))
      default: quoted += "\\x" + String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
      }
    }
    return quoted + "\""
  }
}
