public import BridgeRuntime

/// A bearer token (RFC 6750). It prints without the token.
public struct AccessToken: Sendable, Hashable {
  /// How many octets a token may have; the limit is ours.
  public static let maximumByteCount = 16_384

  /// The token itself: what the cookie `embed_bearer` holds.
  public let rawValue: Secret
  /// From when on the token counts as expired: a minute, but at most a tenth of its lifetime, before it really does. Nil for never.
  public private(set) var staleAt: BridgeInstant?

  private let issuedAt: BridgeInstant

  /// Takes a token that was issued at `now` for `lifetime`; nil when nobody knows for how long.
  ///
  /// - Throws: ``TokenError/invalidResponse`` for text that cannot stand in a header and a cookie.
  public init(_ text: String, lifetime: Duration?, issuedAt now: BridgeInstant) throws(TokenError) {
    guard !text.isEmpty, text.utf8.count <= Self.maximumByteCount, text.utf8.allSatisfy(Self.isCookieOctet) else {
      throw .invalidResponse
    }
    rawValue = Secret(text)
    issuedAt = now
    staleAt = lifetime.map { now.advanced(by: $0 - min(.seconds(60), $0 / 10)) }
  }

  /// The value of an Authorization header: `Bearer` and the token.
  public var authorization: Secret { Secret("Bearer \(rawValue.reveal())") }

  /// The token with its life counted from `now` on a device's own clock, which may be another than that of whoever issued it.
  func received(at now: BridgeInstant) -> AccessToken {
    var token = self
    token.staleAt = staleAt.map { now.advanced(by: issuedAt.duration(to: $0)) }
    return token
  }

  /// Whether the token can still be used.
  public func isFresh(at now: BridgeInstant) -> Bool {
    staleAt.map { now < $0 } ?? true
  }

  /// What a cookie's value consists of (RFC 6265, section 4.1.1); all of RFC 6750's token characters are among them.
  private static func isCookieOctet(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x21, 0x23...0x2B, 0x2D...0x3A, 0x3C...0x5B, 0x5D...0x7E: true
    default: false
    }
  }
}
