public import HTTPTypes

/// Why a request is not an acceptable WebSocket handshake (RFC 6455, section 4.2).
public enum WebSocketHandshakeError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The request does not ask for a WebSocket at all.
  case notAnUpgrade
  /// The client uses a version of the protocol other than 13.
  case unsupportedVersion
  /// The key is missing, repeated, or not the base64 of 16 bytes.
  case invalidKey
  /// The client did not offer the required subprotocol.
  case subprotocolNotOffered(String)

  /// The status of the response.
  public var status: HTTPResponse.Status {
    switch self {
    case .notAnUpgrade, .unsupportedVersion: .upgradeRequired
    case .invalidKey, .subprotocolNotOffered: .badRequest
    }
  }

  /// The fields that the response needs.
  public var fields: HTTPFields {
    switch self {
    case .notAnUpgrade, .unsupportedVersion:
      [.upgrade: "websocket", .connection: "upgrade", .secWebSocketVersion: "13"]
    case .invalidKey, .subprotocolNotOffered: [:]
    }
  }

  /// What is wrong, in one sentence.
  public var description: String {
    switch self {
    case .notAnUpgrade: "This address accepts only WebSocket connections."
    case .unsupportedVersion: "This server supports version 13 of the WebSocket protocol only."
    case .invalidKey: "Sec-WebSocket-Key must be the base64 of 16 bytes."
    case .subprotocolNotOffered(let name):
      "This address requires the WebSocket subprotocol \(name), which the client did not offer."
    }
  }
}
