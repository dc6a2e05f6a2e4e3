import BridgeCore
import HTTPTypes

/// Why the control API refuses a request: problem details (RFC 9457).
public struct ControlProblem: Error {
  /// The response's status.
  let status: HTTPResponse.Status
  /// What is wrong with this request, for people.
  let detail: String
  /// Members beside the usual ones.
  var members: [String: JSONValue] = [:]
  /// Fields of the response.
  var fields: HTTPFields = [:]

  /// The request cannot be read.
  public static func badRequest(_ detail: String) -> ControlProblem {
    ControlProblem(status: .badRequest, detail: detail)
  }
  /// There is nothing of this name.
  public static func notFound(_ detail: String) -> ControlProblem { ControlProblem(status: .notFound, detail: detail) }
  /// What is asked is not possible as things stand.
  public static func conflict(_ detail: String) -> ControlProblem { ControlProblem(status: .conflict, detail: detail) }
  /// What was asked could not be kept, and so has no effect.
  static var unkept: ControlProblem {
    ControlProblem(
      status: HTTPResponse.Status(code: 507, reasonPhrase: "Insufficient Storage"),
      detail: "This had no effect: the server cannot write to its state directory. Its log says why.")
  }
  /// The request's body can be read, but not be acted on. `detail` names the member.
  public static func unprocessable(_ detail: String) -> ControlProblem {
    ControlProblem(status: .unprocessableContent, detail: detail)
  }
}
