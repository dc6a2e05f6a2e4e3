import BridgeCore
import Essentials
import HTTP1
import HTTPTypes
import WebServer

/// A handler's answer to a request for a resource: `{status?, headers?, body?}` or `{status?, headers?, base64?}`.
struct ResourceResponse: Equatable {
  /// What is wrong with a reply, as the end of the sentence "The handler has written …".
  struct Problem: Error, Equatable, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
  }

  /// The status.
  private(set) var status = HTTPResponse.Status.ok
  /// The fields.
  private(set) var fields = HTTPFields()
  /// The body.
  private(set) var body: [UInt8] = []

  /// What the server itself decides, or what would affect more than the resource.
  private static let ownFields: Set<String> = [
    "content-length", "content-encoding", "set-cookie", "clear-site-data", "alt-svc", "strict-transport-security",
  ]

  /// Reads a reply. Nil and `null` are 404.
  init(_ reply: JSONValue?) throws(Problem) {
    guard let reply, reply != .null else {
      status = .notFound
      return
    }
    guard let members = reply.objectValue else { throw Problem("a resource that is no object") }
    if let status = members["status"] {
      guard let number = status.numberValue.flatMap({ Int(exactly: $0) }), 200...599 ~= number else {
        throw Problem("a resource whose status is not a number from 200 to 599")
      }
      self.status = HTTPResponse.Status(code: number)
    }
    try read(body: members)
    guard let headers = (members["headers"] ?? [:]).objectValue else {
      throw Problem("a resource whose headers are no object")
    }
    for (name, value) in headers.sorted(by: { $0.key < $1.key }) {
      guard let name = HTTPField.Name(name), let text = value.stringValue, HTTPField.isValidValue(text) else {
        throw Problem("a resource with a header that HTTP cannot have")
      }
      if name.concernsConnection || Self.ownFields.contains(name.canonicalName) { continue }
      fields[name] = text
    }
  }

  private mutating func read(body members: [String: JSONValue]) throws(Problem) {
    switch (members["body"], members["base64"]) {
    case (nil, nil): break
    case (let body?, nil):
      fields[.contentType] = body.stringValue == nil ? "application/json" : "text/plain; charset=utf-8"
      self.body = Array((body.stringValue ?? body.jsonText).utf8)
    case (nil, let base64?):
      guard let data = base64.stringValue.flatMap({ Data(base64Encoded: $0) }) else {
        throw Problem("a resource whose base64 is not base64")
      }
      fields[.contentType] = "application/octet-stream"
      self.body = Array(data)
    default: throw Problem("a resource with both a body and base64")
    }
  }

  /// Whether a script of this origin can read the response, as a web view decides it.
  func isReadable(by origin: String) -> Bool {
    guard let allowed = fields[.accessControlAllowOrigin] else { return true }
    return allowed == "*" || allowed == origin
  }
}
