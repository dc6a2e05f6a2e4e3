import BridgeCore
import Essentials
import HTTP1
import HTTPTypes
import Sessions
import WebServer

/// A request for a resource as a handler gets it: `{place, method, url, headers, body?}`, or with `base64` for a
/// body that is no text.
struct ResourceQuestion {
  /// The members of the line's `resource`.
  let json: JSONValue

  /// What belongs to the way to this server, or is secret.
  private static let leftOut: Set<String> = [
    "host", "cookie", "content-length", "accept-encoding", "via", "te", "referer",
  ]

  /// Describes a request with its body.
  init(_ head: RequestHead, _ request: ResourceRequest, body: [UInt8]) {
    var headers: [String: JSONValue] = [:]
    for field in head.fields {
      let name = field.name.canonicalName
      if field.name.concernsConnection || Self.leftOut.contains(name) || name.hasPrefix("sec-") { continue }
      headers[name] = .string(headers[name]?.stringValue.map { "\($0), \(field.value)" } ?? field.value)
    }
    var members: [String: JSONValue] = [
      "method": .string(head.method.rawValue), "url": .string(request.url), "headers": .object(headers),
      "place": .string(request.place),
    ]
    if let text = String(validating: body, as: UTF8.self) {
      members["body"] = text.isEmpty ? nil : .string(text)
    } else {
      members["base64"] = .string(Data(body).base64EncodedString())
    }
    json = .object(members)
  }
}
