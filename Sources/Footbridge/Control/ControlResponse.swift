public import BridgeCore
import HTTPTypes

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
  static let linesType = "application/jsonl"
}
