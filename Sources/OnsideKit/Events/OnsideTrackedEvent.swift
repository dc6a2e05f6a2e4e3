public import BridgeCore

/// An event that a page tracked, after the rules were applied.
public struct OnsideTrackedEvent: Sendable, Hashable {
  /// The accepted name, perhaps truncated. For a rejected event, the name that the page sent.
  public let name: String
  /// The accepted parameters; empty for a rejected event.
  public let parameters: [String: JSONValue]
  /// What was truncated, dropped or rejected.
  public let remarks: [OnsideEventRemark]
  /// The time, in milliseconds since the Unix epoch.
  public let trackedAt: Double

  /// Whether the event was accepted, perhaps in part.
  public var isAccepted: Bool { !remarks.contains { $0.action == .rejected } }
}
