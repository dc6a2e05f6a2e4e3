/// What the event rules changed in an event, and why.
public struct OnsideEventRemark: Sendable, Hashable, CustomStringConvertible {
  /// What was done.
  public enum Action: String, Sendable {
    /// The whole event was dropped.
    case rejected
    /// A parameter was dropped.
    case dropped
    /// A name, key or string was truncated.
    case truncated
  }

  /// Why it was done.
  public enum Reason: String, Sendable {
    /// The name or key does not match `^[a-zA-Z][a-zA-Z0-9_]*$`.
    case malformed
    /// The name or key starts with `onside_` or `$$`.
    case reserved
    /// The name or key has more than 40 characters, or the string more than 100.
    case tooLong
    /// The value is no string, number, boolean or flat array of these.
    case unsupportedValue
    /// The event already has 25 parameters.
    case tooMany
    /// After truncation, the key equals an earlier one.
    case duplicate
  }

  /// What was done.
  public let action: Action
  /// Why.
  public let reason: Reason
  /// The key of the parameter concerned, as the page wrote it; nil for the event's name.
  public let key: String?

  /// The remark in words, such as `truncated "title": tooLong`.
  public var description: String {
    "\(action.rawValue) \(key.map { "\"\($0)\"" } ?? "name"): \(reason.rawValue)"
  }
}
