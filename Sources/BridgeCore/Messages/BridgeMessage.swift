public import Foundation

/// The envelope of everything that crosses the bridge (GBGBridge reference, "BridgeMessage").
public struct BridgeMessage: Codable, Identifiable, Sendable {
  /// The protocol's version; currently `1.0`.
  public let version: String
  /// Joins a response to its request.
  public let correlationId: String
  /// Request, response or event.
  public let type: BridgeMessageType
  /// Milliseconds since the Unix epoch.
  public let timestamp: TimeInterval
  /// What the message says.
  public let payload: BridgePayload

  /// `{correlationId}-{timestamp}-{type}`; computed, never on the wire.
  public var id: String { "\(correlationId)-\(timestamp)-\(type)" }

  /// Creates a message.
  public init(
    version: String,
    correlationId: String,
    type: BridgeMessageType,
    timestamp: TimeInterval,
    payload: BridgePayload
  ) {
    self.version = version
    self.correlationId = correlationId
    self.type = type
    self.timestamp = timestamp
    self.payload = payload
  }
}
