package import BridgeCore
package import JWTKit

/// Any JSON as the payload of a JWS. ``MerchantTokenCheck`` checks the claims, since it has the clock.
package struct JWSPayload: JWTPayload {
  /// The payload.
  package let value: JSONValue

  init(_ value: JSONValue) {
    self.value = value
  }

  package init(from decoder: any Decoder) throws {
    value = try JSONValue(from: decoder)
  }

  package func encode(to encoder: any Encoder) throws {
    try value.encode(to: encoder)
  }

  package func verify(using algorithm: some JWTAlgorithm) {}
}
