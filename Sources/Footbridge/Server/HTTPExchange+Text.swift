import HTTPTypes
import WebServer

extension HTTPExchange {
  /// Answers with a sentence for people.
  func respondText(_ status: HTTPResponse.Status, _ text: String, fields: HTTPFields = [:]) {
    var fields = fields
    fields[.contentType] = "text/plain; charset=utf-8"
    respond(status, fields: fields, body: Array((text + "\n").utf8))
  }

  /// Answers 405 unless the method is one of these.
  func allows(_ methods: [HTTPRequest.Method]) -> Bool {
    if methods.contains(head.method) { return true }
    respondText(
      .methodNotAllowed,
      "\(head.method.rawValue) is not allowed here.",
      fields: [.allow: methods.map(\.rawValue).joined(separator: ", ")]
    )
    return false
  }
}
