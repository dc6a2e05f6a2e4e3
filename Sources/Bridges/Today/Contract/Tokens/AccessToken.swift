public import BridgeRuntime

/// A bearer token (RFC 6750). Printing it does not show the token.
public struct AccessToken: Sendable, Hashable {
  /// The largest size of a token, in bytes. This limit is our choice.
  public static let maximumByteCount = 16_384

  /// The token itself, which is also the value of the cookie `embed_bearer`.
  public let rawValue: Secret
  /// When the token counts as expired: one minute before it expires, but at most a tenth of its lifetime before. Nil
  /// for never.
  public private(set) var staleAt: BridgeInstant?

  private var issuedAt: BridgeInstant

  /// Creates a token.
  ///
  /// - Parameters:
  ///   - text: The token.
  ///   - lifetime: The time until it expires; nil when that is unknown.
  ///   - now: The time of issue.
  ///
  /// - Throws: ``TokenError/invalidResponse`` for a text that is not valid in a header and a cookie.
  public init(_ text: String, lifetime: Duration?, issuedAt now: BridgeInstant) throws(TokenError) {
    guard !text.isEmpty, text.utf8.count <= Self.maximumByteCount, text.utf8.allSatisfy(Self.isCookieOctet) else {
      throw .invalidResponse
    }
    rawValue = Secret(text)
    issuedAt = now
    staleAt = lifetime.map { now.advanced(by: $0 - min(.seconds(60), $0 / 10)) }
  }

  /// How long the token counts as valid in all; nil for ever.
  public var validity: Duration? { staleAt.map { issuedAt.duration(to: $0) } }

  /// The value of the Authorization header: `Bearer` and the token.
  public var authorization: Secret { Secret("Bearer \(rawValue.reveal())") }

  /// The same token with its lifetime counted from `now` on the device's clock, which may differ from the issuer's.
  func received(at now: BridgeInstant) -> AccessToken {
    var token = self
    token.staleAt = validity.map { now.advanced(by: $0) }
    token.issuedAt = now
    return token
  }

  /// The same token, expired.
  func expired(at now: BridgeInstant) -> AccessToken {
    var token = self
    token.staleAt = now
    return token
  }

  /// Whether the token is not expired.
  public func isFresh(at now: BridgeInstant) -> Bool {
    staleAt.map { now < $0 } ?? true
  }

  /// Whether a cookie's value may contain this byte (RFC 6265, section 4.1.1). These include all bytes of a bearer
  /// token (RFC 6750).
  private static func isCookieOctet(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x21, 0x23...0x2B, 0x2D...0x3A, 0x3C...0x5B, 0x5D...0x7E: true
    default: false
    }
  }
}
