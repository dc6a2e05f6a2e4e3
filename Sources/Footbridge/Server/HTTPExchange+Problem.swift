import BridgeCore
import HTTPTypes
import WebServer

extension HTTPExchange {
  /// Answers with a problem for programs and people (RFC 9457).
  func respondProblem(_ status: HTTPResponse.Status, _ detail: String, fields: HTTPFields = [:]) {
    let problem: JSONValue = [
      "title": .string(status.reasonPhrase), "status": .number(Double(status.code)), "detail": .string(detail),
    ]
    var fields = fields
    fields[.contentType] = "application/problem+json"
    fields[.cacheControl] = "no-store"
    respond(status, fields: fields, body: Array((problem.jsonText + "\n").utf8))
  }
}
