/// Signs histories: whoever holds the store's key.
public protocol HistorySigner: Sendable {
  /// Signs a payload as a compact JWS (RFC 7515, section 7.1).
  func sign(payload: [UInt8]) async throws -> String
}
