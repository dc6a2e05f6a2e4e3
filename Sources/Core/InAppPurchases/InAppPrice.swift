package import BridgeCore

/// A price, and its text in a language. The program has no ICU data: a table has the signs of the usual currencies and where languages write
/// them.
package struct InAppPrice: Sendable, Hashable {
  /// The value in major units, such as 4.99.
  package let value: Double
  /// The ISO 4217 code.
  package let currencyCode: String
  /// The number of decimal digits of the currency.
  package let fractionDigits: Int
  /// The locale of the text, such as `en_US`.
  package let locale: String

  package init(value: Double, currencyCode: String, fractionDigits: Int, locale: String) {
    self.value = value
    self.currencyCode = currencyCode
    self.fractionDigits = fractionDigits
    self.locale = locale
  }

  /// The same price for other amounts: `value` rounded down to the currency's digits, as stores round a price per month.
  package func with(value: Double) -> InAppPrice {
    let unit = power(10, fractionDigits)
    return InAppPrice(
      value: (value * unit + 1e-6).rounded(.down) / unit, currencyCode: currencyCode, fractionDigits: fractionDigits,
      locale: locale)
  }

  /// The sign of the currency, such as `$`; its code if it has none.
  package var sign: String { Self.signs[currencyCode] ?? currencyCode }

  /// The text for people, such as `$4.99` or `4,99 €`.
  package var text: String {
    let language = String(locale.prefix { $0 != "_" && $0 != "-" }).lowercased()
    let follows = Self.languagesWithSignAfter.contains(language)
    let digits = digits(
      point: follows ? "," : ".", separator: follows ? (language == "de" ? "." : "\u{A0}") : ",")
    if follows { return "\(digits)\u{A0}\(sign)" }
    return sign.count == 3 ? "\(sign)\u{A0}\(digits)" : sign + digits
  }

  private func digits(point: String, separator: String) -> String {
    let unit = power(10, fractionDigits)
    let scaled = (abs(value) * unit).rounded()
    guard scaled < 1e15 else { return "\(value)" }
    let amount = Int64(scaled)
    let (whole, rest) = amount.quotientAndRemainder(dividingBy: Int64(unit))
    var groups: [String] = []
    var digits = Substring(String(whole))
    while digits.count > 3 {
      groups.insert(String(digits.suffix(3)), at: 0)
      digits = digits.dropLast(3)
    }
    groups.insert(String(digits), at: 0)
    let text = (value < 0 ? "-" : "") + groups.joined(separator: separator)
    if fractionDigits == 0 { return text }
    let fraction = String(rest)
    return text + point + String(repeating: "0", count: max(0, fractionDigits - fraction.count)) + fraction
  }

  private func power(_ base: Double, _ exponent: Int) -> Double {
    (0..<max(0, exponent)).reduce(1) { product, _ in product * base }
  }

  private static let signs = [
    "AUD": "A$", "BRL": "R$", "CAD": "CA$", "CNY": "CN¥", "EUR": "€", "GBP": "£", "ILS": "₪", "INR": "₹", "JPY": "¥",
    "KRW": "₩", "MXN": "MX$", "NZD": "NZ$", "PHP": "₱", "TWD": "NT$", "USD": "$", "VND": "₫",
  ]

  private static let languagesWithSignAfter: Set<String> = [
    "bg", "ca", "cs", "da", "de", "el", "es", "et", "fi", "fr", "hr", "hu", "it", "lt", "lv", "nb", "no", "pl", "pt",
    "ro", "ru", "sk", "sl", "sr", "sv", "uk",
  ]

  /// The price as an object: `value`, `currencyCode` and `text`.
  package var json: JSONValue {
    ["value": .number(value), "currencyCode": .string(currencyCode), "text": .string(text)]
  }
}
