import BridgeCore
public import BridgeRuntime
import Essentials

/// Sends requests to a token endpoint. An implementation knows the URL and speaks HTTP.
public protocol OAuthTokenEndpoint: Sendable {
  /// Posts a form as `application/x-www-form-urlencoded`.
  ///
  /// - Parameters:
  ///   - form: The names and values, in order.
  ///   - authorization: The value of the `Authorization` field; nil for none.
  /// - Returns: The status and body of the answer, whatever the status.
  /// - Throws: Any error when there is no answer. Its text is discarded, since it may contain secrets.
  func post(form: [(String, String)], authorization: Secret?) async throws -> (status: Int, body: [UInt8])
}

/// How a client authenticates at a token endpoint, by its registered name (RFC 7591, section 2).
public enum OAuthClientAuthentication: String, Sendable, Hashable, CaseIterable {
  /// The password is in the body (RFC 6749, section 2.3.1).
  case post = "client_secret_post"
  /// The identifier and the password are in the `Authorization` field, by HTTP Basic.
  case basic = "client_secret_basic"
}

/// The credentials of a client at a token endpoint.
public struct OAuthCredentials: Sendable, Hashable {
  /// The client's identifier; nil for an endpoint that needs none.
  public var clientID: String?
  /// The client's password; nil for a public client.
  public var clientSecret: Secret?
  /// Where the password is sent. A client without one sends its identifier in the body.
  public var authentication = OAuthClientAuthentication.post
  /// The scope to ask for, as space-separated words (RFC 6749, section 3.3); nil for the granted one.
  public var scope: String?
  /// The server that the token is for, at endpoints that ask for it (`audience`); nil for the default.
  public var audience: String?
  /// The first refresh token.
  public var refreshToken: Secret

  /// Creates credentials.
  ///
  /// - Parameters:
  ///   - refreshToken: The first refresh token.
  ///   - clientID: The client's identifier.
  ///   - clientSecret: The client's password.
  public init(refreshToken: Secret, clientID: String? = nil, clientSecret: Secret? = nil) {
    self.refreshToken = refreshToken
    self.clientID = clientID
    self.clientSecret = clientSecret
  }
}

extension OAuthCredentials {
  /// The value of the `Authorization` field; nil without one.
  var authorization: Secret? {
    guard authentication == .basic, let clientID, let clientSecret else { return nil }
    // Both are encoded as in a form first (RFC 6749, section 2.3.1).
    let pair = [clientID, clientSecret.reveal()].map(FormEncoding.encoded).joined(separator: ":")
    return Secret("Basic " + Data(pair.utf8).base64EncodedString())
  }
}

/// `application/x-www-form-urlencoded` (URL standard, section 5.2).
package enum FormEncoding {
  /// The body of a form.
  package static func body(_ form: [(String, String)]) -> [UInt8] {
    Array(form.map { "\(encoded($0.0))=\(encoded($0.1))" }.joined(separator: "&").utf8)
  }

  /// A name or a value in a form.
  static func encoded(_ text: String) -> String {
    var encoded = ""
    for byte in text.utf8 {
      switch byte {
      case 0x20: encoded += "+"
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2A, 0x2D, 0x2E, 0x5F:
        encoded.unicodeScalars.append(Unicode.Scalar(byte))
      default: encoded += (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
      }
    }
    return encoded
  }
}

/// The answer of a token endpoint (RFC 6749, sections 5.1 and 5.2).
struct OAuthTokenResponse {
  /// The largest accepted answer, in bytes.
  private static let maximumByteCount = 1 << 20
  /// The longest accepted lifetime: ten years, in seconds.
  private static let maximumLifetime = 10.0 * 365 * 86_400

  let token: AccessToken
  /// The new refresh token; nil when the old one stays valid.
  let refreshToken: Secret?

  init(status: Int, body: [UInt8], receivedAt now: BridgeInstant) throws(TokenError) {
    if status >= 500 || status == 429 { throw .unreachable }
    guard body.count <= Self.maximumByteCount, let members = (try? JSONValue(parsing: body))?.objectValue else {
      throw .invalidResponse
    }
    guard status == 200 else {
      guard let code = members["error"]?.stringValue else { throw .invalidResponse }
      throw .refused(OAuthErrorCode(rawValue: code) ?? .other)
    }
    guard let text = members["access_token"]?.stringValue, members["token_type"]?.stringValue?.lowercased() == "bearer"
    else { throw .invalidResponse }
    // Without expires_in, the token is used until a caller asks for a new one.
    let lifetime = members["expires_in"]?.numberValue.map { Duration.seconds(min(max($0, 0), Self.maximumLifetime)) }
    token = try AccessToken(text, lifetime: lifetime, issuedAt: now)
    refreshToken = members["refresh_token"]?.stringValue.flatMap { $0.isEmpty ? nil : Secret($0) }
  }
}
