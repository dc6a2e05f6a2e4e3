/// A complete WebSocket message, its fragments put together.
public struct WebSocketMessage {
  /// What the message's bytes are.
  public enum Kind: Sendable {
    /// UTF-8 text, checked.
    case text
    /// Any bytes.
    case binary
  }

  /// Text or binary.
  public let kind: Kind
  /// The message, valid only during the call that delivers it.
  public let bytes: UnsafeBufferPointer<UInt8>
}
