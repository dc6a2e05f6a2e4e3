/// Structured error information in an error response (GBGBridge reference, "BridgeErrorPayload").
public struct BridgeErrorPayload: Codable, Sendable, Hashable, Error {
  /// A machine-readable code, such as `CAMERA_DENIED`.
  public let code: String
  /// A description for people.
  public let message: String
  /// Whether trying again may succeed.
  public let recoverable: Bool

  /// Creates an error payload.
  public init(code: String, message: String, recoverable: Bool) {
    self.code = code
    self.message = message
    self.recoverable = recoverable
  }
}
