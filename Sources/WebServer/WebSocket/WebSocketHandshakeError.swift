public import HTTPTypes

/// Why a request is no WebSocket handshake that can be accepted (RFC 6455, section 4.2).
public enum WebSocketHandshakeError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The request does not ask for a WebSocket at all.
  case notAnUpgrade
  /// The client speaks another version of the protocol than 13.
  case unsupportedVersion
  /// The key is missing, repeated, or not the base64 of 16 bytes.
  case invalidKey
  /// The client did not offer the subprotocol that this endpoint speaks.
  case subprotocolNotOffered(String)

  /// The status of the answer.
  public var status: HTTPResponse.Status {
    switch self {
    case .notAnUpgrade, .unsupportedVersion: .upgradeRequired
    case .invalidKey, .subprotocolNotOffered: .badRequest
    }
  }

  /// The fields that the answer needs.
  public var fields: HTTPFields {
    switch self {
    case .notAnUpgrade, .unsupportedVersion:
      [.upgrade: "websocket", .connection: "upgrade", .secWebSocketVersion: "13"]
    case .invalidKey, .subprotocolNotOffered: [:]
    }
  }

  /// What is wrong, for people.
  public var description: String {
    switch self {
    case .notAnUpgrade: "This address speaks WebSocket only."
    case .unsupportedVersion: "This server speaks version 13 of the WebSocket protocol."
    case .invalidKey: "Sec-WebSocket-Key must be the base64 of 16 bytes."
    case .subprotocolNotOffered(let name):
      "This address speaks the WebSocket subprotocol \(name), which was not offered."
    }
  }
}
