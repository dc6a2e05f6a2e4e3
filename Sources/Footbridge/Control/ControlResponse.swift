public import BridgeCore
import HTTPTypes

/// What a route of the control API answers.
public enum ControlResponse {
  /// A JSON text.
  case json(JSONValue)
  /// A resource was made, at `location` below the API's base.
  case created(JSONValue, location: String)
  /// JSON Lines: one JSON text in each line.
  case lines([JSONValue])
  /// There is nothing to say.
  case noContent
  /// The route has answered by itself.
  case answered

  /// The media type of JSON Lines.
  static let linesType = "application/jsonl"
}
