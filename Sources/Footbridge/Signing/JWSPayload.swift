import BridgeCore
import JWTKit

/// Any JSON as the payload of a JWS. ``MerchantTokenCheck`` checks the claims, since it has the clock.
struct JWSPayload: JWTPayload {
  /// The payload.
  let value: JSONValue

  init(_ value: JSONValue) {
    self.value = value
  }

  init(from decoder: any Decoder) throws {
    value = try JSONValue(from: decoder)
  }

  func encode(to encoder: any Encoder) throws {
    try value.encode(to: encoder)
  }

  func verify(using algorithm: some JWTAlgorithm) {}
}
