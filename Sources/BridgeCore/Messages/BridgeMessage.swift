public import Foundation

/// The envelope of everything that crosses the bridge (GBGBridge reference, "BridgeMessage").
public struct BridgeMessage: Codable, Identifiable, Sendable {
  /// What the message consists of. One object: a message is passed on from one to another often, and each time that moves one reference.
  let content: Content

  final class Content: Codable, Sendable {
    let version: String
    let correlationId: String
    let type: BridgeMessageType
    let timestamp: TimeInterval
    let payload: BridgePayload

    init(
      version: String, correlationId: String, type: BridgeMessageType, timestamp: TimeInterval, payload: BridgePayload
    ) {
      self.version = version
      self.correlationId = correlationId
      self.type = type
      self.timestamp = timestamp
      self.payload = payload
    }
  }

  /// The protocol's version; currently `1.0`.
  public var version: String { content.version }
  /// Joins a response to its request.
  public var correlationId: String { content.correlationId }
  /// Request, response or event.
  public var type: BridgeMessageType { content.type }
  /// Milliseconds since the Unix epoch.
  public var timestamp: TimeInterval { content.timestamp }
  /// What the message says.
  public var payload: BridgePayload { content.payload }
  /// The payload's action, for those who need nothing else of it.
  package var action: String { content.payload.action }
  /// The payload's status, likewise.
  package var status: BridgeResponseStatus? { content.payload.status }

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
    content = Content(
      version: version, correlationId: correlationId, type: type, timestamp: timestamp, payload: payload)
  }

  /// Decodes a message with a coder of Foundation's.
  public init(from decoder: any Decoder) throws {
    content = try Content(from: decoder)
  }

  /// Encodes the message with a coder of Foundation's.
  public func encode(to encoder: any Encoder) throws {
    try content.encode(to: encoder)
  }
}
