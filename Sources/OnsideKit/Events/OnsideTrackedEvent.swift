public import BridgeCore

/// An event that a page tracked, after the rules.
public struct OnsideTrackedEvent: Sendable, Hashable {
  /// The name, cut to what is accepted; the page's own for a rejected event.
  public let name: String
  /// The parameters that were accepted; none for a rejected event.
  public let parameters: [String: JSONValue]
  /// What was cut and dropped.
  public let remarks: [OnsideEventRemark]
  /// When, in milliseconds since the Unix epoch.
  public let trackedAt: Double

  /// Whether the event was accepted, perhaps in part.
  public var isAccepted: Bool { !remarks.contains { $0.action == .rejected } }
}
