public import BridgeCore
package import HTTPTypes
package import Sessions

/// The answer of a route of the control API.
public enum ControlResponse {
  /// A JSON text.
  case json(JSONValue)
  /// A resource was created at `location`, below the API's base.
  case created(JSONValue, location: String)
  /// JSON Lines: one JSON text in each line.
  case lines([JSONValue])
  /// Success without content.
  case noContent
  /// The route has already sent the answer.
  case answered

  /// The media type of JSON Lines.
  package static let linesType = "application/jsonl"
}

/// An error of the control API: problem details (RFC 9457).
public struct ControlProblem: Error {
  /// The response's status.
  package let status: HTTPResponse.Status
  /// The error in sentences.
  package let detail: String
  /// Further members of the problem.
  package var members: [String: JSONValue] = [:]
  /// Fields of the response.
  package var fields: HTTPFields = [:]

  package init(
    status: HTTPResponse.Status, detail: String, members: [String: JSONValue] = [:], fields: HTTPFields = [:]
  ) {
    self.status = status
    self.detail = detail
    self.members = members
    self.fields = fields
  }

  /// The request cannot be read.
  public static func badRequest(_ detail: String) -> ControlProblem {
    ControlProblem(status: .badRequest, detail: detail)
  }
  /// There is no such thing.
  public static func notFound(_ detail: String) -> ControlProblem { ControlProblem(status: .notFound, detail: detail) }
  /// The current state does not allow the request.
  public static func conflict(_ detail: String) -> ControlProblem { ControlProblem(status: .conflict, detail: detail) }
  /// The store could not write the change that the request makes.
  ///
  /// - Parameter outcome: The outcome of the request, as a sentence without its end.
  package static func unstored(_ failure: StoreFailure, outcome: String = "The request had no effect") -> ControlProblem
  {
    if failure.isFenced { return moved }
    let outcome = failure.isUndecided ? "It is unknown whether the request took effect" : outcome
    return insufficientStorage("\(outcome): \(failure.reason). Its log says why.")
  }
  /// The server cannot store what the request asks for.
  package static func insufficientStorage(_ detail: String) -> ControlProblem {
    ControlProblem(
      status: HTTPResponse.Status(code: 507, reasonPhrase: "Insufficient Storage"), detail: detail)
  }
  /// A server that shares its database has no lease, and owns no session.
  package static var noLease: ControlProblem {
    ControlProblem(
      status: .serviceUnavailable, detail: "This replica cannot reach the database at the moment. Try again.",
      fields: [.retryAfter: "1"])
  }
  /// The server stops, and has not begun with the request.
  package static var stopping: ControlProblem {
    ControlProblem(
      status: .serviceUnavailable, detail: "The server stops. The request had no effect.", fields: [.retryAfter: "1"])
  }
  /// Another server has taken the session while the request waited here.
  package static var moved: ControlProblem {
    ControlProblem(
      status: .serviceUnavailable, detail: "The session has moved to another server. Try again.",
      fields: [.retryAfter: "1"])
  }
  /// The content of the body is wrong. `detail` names the member.
  public static func unprocessable(_ detail: String) -> ControlProblem {
    ControlProblem(status: .unprocessableContent, detail: detail)
  }
}

extension Session {
  /// Waits until all present changes are stored.
  ///
  /// - Parameter outcome: What the request has done if they could not be stored, as a sentence without its end.
  /// - Throws: ``ControlProblem`` if they could not be stored.
  package func waitUntilStored(outcome: String = "The request had no effect") async throws(ControlProblem) {
    do throws(StoreFailure) { try await state.waitUntilStored() } catch { throw .unstored(error, outcome: outcome) }
  }
}
