import Testing

@testable import OnsideKit

struct TerritoryTests {
  @Test func `every country of ISO 3166-1 has one entry with well-formed codes`() {
    #expect(Territory.all.count == 250)
    #expect(Set(Territory.all.map(\.alpha2)).count == 250)
    #expect(Set(Territory.all.map(\.alpha3)).count == 250)
    for territory in Territory.all {
      #expect(territory.alpha2.count == 2 && territory.alpha3.count == 3)
      #expect(Currency.isWellFormed(territory.currencyCode))
      #expect(!territory.languages.isEmpty)
    }
  }

  @Test(arguments: [
    ("NLD", "NL", "EUR"), ("nl", "NL", "EUR"), ("USA", "US", "USD"), ("GBR", "GB", "GBP"), ("JPN", "JP", "JPY"),
    ("KWT", "KW", "KWD"), ("CHE", "CH", "CHF"), ("BGR", "BG", "EUR"), ("HRV", "HR", "EUR"), ("XKX", "XK", "EUR"),
  ])
  func `a territory is found by either code`(_ code: String, _ alpha2: String, _ currency: String) {
    #expect(Territory(code: code)?.alpha2 == alpha2)
    #expect(Territory(code: code)?.currencyCode == currency)
  }

  @Test(arguments: ["", "Z", "ZZ", "ZZZ", "USAA", "ß"])
  func `a text that is not a country code finds no territory`(_ code: String) {
    #expect(Territory(code: code) == nil)
  }

  @Test(arguments: [("EUR", 2), ("JPY", 0), ("KWD", 3), ("CLF", 4), ("XYZ", 2)])
  func `each currency has its number of minor digits`(_ code: String, _ exponent: Int) {
    #expect(Currency.exponent(of: code) == exponent)
  }
}
