public import Essentials
import func Foundation.NSDecimalRound

/// A monetary value (bridge reference, "JSPrice").
public struct OnsidePrice: Sendable {
  /// The value in major units, such as `9.99`, exactly as the catalogue has it.
  public let value: Decimal
  /// The ISO 4217 code, such as `EUR`.
  public let currencyCode: String
  /// The value as decimal digits, such as `9.99`. It is kept because a price is written far more often than created.
  let text: String

  /// Creates a price from a value in major units.
  public init(value: Decimal, currencyCode: String) {
    self.value = value
    self.currencyCode = currencyCode
    text = value.description
  }

  /// The double that is nearest to ``value``. Its shortest decimal form is the value's own, so a page gets `0.99`.
  public var doubleValue: Double {
    // Convert through text: on Linux, the conversion of NSDecimalNumber is off by one unit in the last place for values such as 0.99.
    Double(text) ?? 0
  }

  /// The value in the currency's smallest unit, such as 999 for EUR 9.99, rounded half away from zero. Nil if it does not fit.
  public var minorUnits: Int64? {
    var scaled = value * pow(Decimal(10), Currency.exponent(of: currencyCode))
    var rounded = Decimal()
    NSDecimalRound(&rounded, &scaled, 0, .plain)
    return Int64(rounded.description)
  }
}

extension OnsidePrice: Hashable {
  /// Compares the values, however their digits are written.
  public static func == (one: OnsidePrice, other: OnsidePrice) -> Bool {
    one.currencyCode == other.currencyCode && (one.text == other.text || one.value == other.value)
  }

  /// Hashes the value.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(value)
    hasher.combine(currencyCode)
  }
}

extension OnsidePrice: Codable {
  private enum CodingKeys: String, CodingKey {
    case value
    case currencyCode
  }

  /// Decodes a price. The value is a decimal string, since JSON numbers are binary fractions.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let text = try container.decode(String.self, forKey: .value)
    guard let value = Decimal(string: text) else {
      throw DecodingError.dataCorruptedError(
        forKey: .value, in: container, debugDescription: "A decimal number was expected.")
    }
    self.init(value: value, currencyCode: try container.decode(String.self, forKey: .currencyCode))
  }

  /// Encodes the value as a decimal string.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(text, forKey: .value)
    try container.encode(currencyCode, forKey: .currencyCode)
  }
}

/// A price that is valid for a period: an introductory or a discounted one (bridge reference, "JSPricePeriod").
public struct OnsidePricePeriod: Sendable, Hashable, Codable {
  /// The price.
  public let price: OnsidePrice
  /// How long it is valid.
  public let period: OnsidePeriod

  /// Creates a price for a period.
  public init(price: OnsidePrice, period: OnsidePeriod) {
    self.price = price
    self.period = period
  }
}
