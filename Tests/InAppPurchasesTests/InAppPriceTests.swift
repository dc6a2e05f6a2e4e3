import InAppPurchases
import Testing

@Suite struct InAppPriceTests {
  @Test(
    "The text of a price has the sign, the digits and the order of its currency and its language",
    arguments: [
      (4.99, "USD", 2, "en_US", "$4.99"), (1234.5, "EUR", 2, "de_DE", "1.234,50\u{A0}€"),
      (1_234_567, "JPY", 0, "ja", "¥1,234,567"), (0.005, "USD", 2, "en", "$0.01"),
      (2.5, "KWD", 3, "en_GB", "KWD\u{A0}2.500"), (12345.6, "PLN", 2, "pl-PL", "12\u{A0}345,60\u{A0}PLN"),
    ])
  func text(value: Double, currency: String, digits: Int, locale: String, expected: String) {
    let price = InAppPrice(value: value, currencyCode: currency, fractionDigits: digits, locale: locale)
    #expect(price.text == expected)
  }

  @Test func `a part of a price is rounded down to the digits of its currency`() {
    let price = InAppPrice(value: 39.99, currencyCode: "USD", fractionDigits: 2, locale: "en")
    #expect(price.with(value: 39.99 / 12).value == 3.33)
    #expect(price.with(value: 39.99).value == 39.99)
  }

  @Test func `a price too large for whole digits has a text`() {
    let price = InAppPrice(value: 1e20, currencyCode: "USD", fractionDigits: 2, locale: "en")
    #expect(price.text == "$1e+20")
  }
}
