public import Foundation

extension Decimal {
  /// Reads a price: up to twelve digits, optionally a full stop and up to six more. No sign, exponent, grouping or currency.
  public init?(priceText text: String) {
    let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard parts.count <= 2, (1...12).contains(parts[0].count), parts.count == 1 || (1...6).contains(parts[1].count),
      parts.allSatisfy({ $0.allSatisfy { (0x30...0x39).contains($0) } })
    else { return nil }
    self.init(string: text, locale: Locale(identifier: "en_US_POSIX"))
  }
}
