public import Sessions

/// The credentials with which a publisher's backend calls the Merchant API (purchasing guide, "Prerequisites"). Set them in
/// `footbridge.yaml` under `onside.merchant`: `id`, `secret`, `keyId`, and `clockSkew` in seconds.
public struct MerchantCredentials: Sendable, CustomStringConvertible {
  /// The Merchant ID for development: `footbridge-merchant`.
  public static let developmentID = "footbridge-merchant"
  /// The Merchant Secret for development: `footbridge-merchant-secret-for-development`. It is published, and so not secret.
  public static let developmentSecret = "footbridge-merchant-secret-for-development"
  /// The Secret Key ID for development: `footbridge-merchant-key`.
  public static let developmentKeyID = "footbridge-merchant-key"

  /// The Merchant ID, `sub` of the merchant's tokens.
  public let id: String
  /// The Secret Key ID, `kid` of the merchant's tokens.
  public let keyID: String
  /// The tolerance for the merchant's clock, in seconds; 5 by default. The contract has none: it is ours.
  public let clockSkew: Int

  /// The Merchant Secret, which signs tokens. ``description`` leaves it out.
  let secret: String

  private static let leastSecretBytes = 32
  private static let mostBytes = 200
  static let clockSkews = 0...60

  /// The credentials for development.
  public init() {
    id = Self.developmentID
    secret = Self.developmentSecret
    keyID = Self.developmentKeyID
    clockSkew = 5
  }

  /// Credentials like those of production. The id and the key's id need 1 to 200 bytes, the secret at least 32, as HS256 requires (RFC
  /// 7518, section 3.2). The clock skew is 0 to 60 seconds. Throws `OptionError` for other values.
  public init(
    id: String = developmentID,
    secret: String = developmentSecret,
    keyID: String = developmentKeyID,
    clockSkew: Int = 5
  ) throws(OptionError) {
    for (name, value) in [("id", id), ("keyId", keyID)] where !(1...Self.mostBytes).contains(value.utf8.count) {
      throw OptionError("The merchant's \(name) must have 1 to \(Self.mostBytes) bytes.")
    }
    guard secret.utf8.count >= Self.leastSecretBytes else {
      throw OptionError("The merchant's secret must have at least \(Self.leastSecretBytes) bytes, as HS256 demands.")
    }
    guard Self.clockSkews.contains(clockSkew) else {
      throw OptionError("The merchant's clockSkew is \(clockSkew). It must be 0 to 60 seconds.")
    }
    self.id = id
    self.secret = secret
    self.keyID = keyID
    self.clockSkew = clockSkew
  }

  /// The credentials for people and logs, without the secret.
  public var description: String { "merchant \(id) with key \(keyID)" }
}
