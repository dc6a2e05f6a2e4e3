package import BridgeCore
package import HTTPTypes
package import WebServer

extension HTTPExchange {
  /// Answers with a sentence for people.
  package func respondText(_ status: HTTPResponse.Status, _ text: String, fields: HTTPFields = [:]) {
    var fields = fields
    fields[.contentType] = "text/plain; charset=utf-8"
    respond(status, fields: fields, body: Array((text + "\n").utf8))
  }

  /// Answers 405 unless the method is one of these.
  package func allows(_ methods: [HTTPRequest.Method]) -> Bool {
    if methods.contains(head.method) { return true }
    respondText(
      .methodNotAllowed,
      "\(head.method.rawValue) is not allowed here.",
      fields: [.allow: methods.map(\.rawValue).joined(separator: ", ")]
    )
    return false
  }
}

extension HTTPExchange {
  /// Answers with a problem for programs and people (RFC 9457).
  ///
  /// The type is `about:blank`: the status tells the kind of the problem.
  package func respondProblem(
    _ status: HTTPResponse.Status,
    _ detail: String,
    members: [String: JSONValue] = [:],
    fields: HTTPFields = [:]
  ) {
    let usual: [String: JSONValue] = [
      "type": "about:blank", "title": .string(status.reasonPhrase), "status": .number(Double(status.code)),
      "detail": .string(detail),
    ]
    let problem = JSONValue.object(members.merging(usual) { $1 })
    var fields = fields
    fields[.contentType] = "application/problem+json"
    fields[.cacheControl] = "no-store"
    respond(status, fields: fields, body: Array((problem.jsonText + "\n").utf8))
  }
}

/// The items of a query to one of our routes. Their values need no escapes.
package struct QueryItems {
  private var items: [(name: Substring, value: Substring)] = []
  /// The names of all items, also of those without a value.
  package private(set) var names: [Substring] = []

  package init(_ query: String?) {
    for item in (query ?? "").utf8.split(separator: UInt8(ascii: "&")) {
      let parts = item.split(separator: UInt8(ascii: "="), maxSplits: 1)
      if let name = parts.first { names.append(Substring(name)) }
      if parts.count == 2 { items.append((Substring(parts[0]), Substring(parts[1]))) }
    }
  }

  package subscript(name: Substring) -> String? { items.last { $0.name == name }.map { String($0.value) } }
}
