import BridgeCore
import HTTPTypes
import WebServer

extension HTTPExchange {
  /// Answers with a problem for programs and people (RFC 9457).
  ///
  /// Its type is `about:blank`: the status says what kind it is.
  func respondProblem(
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
