import HTTP1
public import HTTPTypes

/// A valid WebSocket handshake request (RFC 6455, section 4.2.1).
struct WebSocketHandshake {
  /// The subprotocols that the client offers, in its order of preference.
  let subprotocols: [String]
  private let key: String

  /// Checks the request's head.
  init(_ head: RequestHead) throws(WebSocketHandshakeError) {
    guard head.method == .get, head.upgradeProtocols.contains(where: { $0.lowercased() == "websocket" }) else {
      throw .notAnUpgrade
    }
    guard head.fields.value(of: .secWebSocketVersion) == "13" else { throw .unsupportedVersion }
    // Several keys would be joined with a comma, which is not valid in a key.
    guard let key = head.fields.value(of: .secWebSocketKey), Self.isKey(key) else { throw .invalidKey }
    self.key = key
    subprotocols = head.fields.tokens(of: .secWebSocketProtocol)
  }

  /// Makes a handshake request for libwebsockets, with only the fields that it needs. Nothing else of the client's
  /// request reaches its parser.
  ///
  /// - Parameters:
  ///   - host: The name of the virtual host (``VirtualHost/name``).
  ///   - subprotocol: The negotiated subprotocol; nil for none.
  func cleanHead(host: String, subprotocol: String?) -> [UInt8] {
    var head: [UInt8] = []
    head.reserveCapacity(256)
    head += "GET / HTTP/1.1\r\nHost: ".utf8
    head += host.utf8
    head += "\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ".utf8
    head += key.utf8
    if let subprotocol {
      head += "\r\nSec-WebSocket-Protocol: ".utf8
      head += subprotocol.utf8
    }
    head += "\r\n\r\n".utf8
    return head
  }

  /// Whether a text is the base64 of 16 bytes: 22 digits, the last of which encodes two bits only, and `==`.
  private static func isKey(_ key: String) -> Bool {
    guard key.utf8.count == 24, key.hasSuffix("==") else { return false }
    let digits = key.utf8.dropLast(2)
    return digits.allSatisfy(isDigit) && digits.last.map { "AQgw".utf8.contains($0) } ?? false
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"):
      true
    default: false
    }
  }
}

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
