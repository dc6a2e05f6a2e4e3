/// A complete WebSocket message, with all its fragments.
public struct WebSocketMessage {
  /// The kind of a message.
  public enum Kind: Sendable {
    /// Valid UTF-8 text.
    case text
    /// Any bytes.
    case binary
  }

  /// Text or binary.
  public let kind: Kind
  /// The message. The buffer is valid only during the call of ``WebSocketConnection/onMessage``.
  public let bytes: UnsafeBufferPointer<UInt8>
}
