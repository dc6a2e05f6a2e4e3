/// A country or territory that can be a storefront: ISO 3166-1 codes, currency and official languages.
public struct Territory: Sendable, Hashable {
  /// ISO 3166-1 alpha-2, such as `NL`. Kosovo has the user-assigned `XK`, as in the App Store.
  public let alpha2: String
  /// ISO 3166-1 alpha-3, such as `NLD`: what a `.storekit` file's `_storefront` holds.
  public let alpha3: String
  /// The ISO 4217 code of its currency, such as `EUR`.
  public let currencyCode: String
  /// ISO 639 codes of up to three official languages, most spoken first.
  public let languages: [String]

  /// Every territory, by alpha-2 code.
  public static let all: [Territory] = territoryTable.split(whereSeparator: \.isWhitespace).compactMap { row in
    let columns = row.split(separator: ":").map(String.init)
    guard columns.count == 4 else { return nil }
    return Territory(
      alpha2: columns[0], alpha3: columns[1], currencyCode: columns[2],
      languages: columns[3].split(separator: ",").map(String.init))
  }

  private static let byCode: [String: Territory] = Dictionary(
    all.flatMap { [($0.alpha2, $0), ($0.alpha3, $0)] }, uniquingKeysWith: { first, _ in first })

  /// Finds the territory with this alpha-2 or alpha-3 code, in either case. Nil if there is none.
  public init?(code: String) {
    guard code.utf8.count <= 3, code.allSatisfy(\.isASCII), let territory = Territory.byCode[code.uppercased()] else {
      return nil
    }
    self = territory
  }

  fileprivate init(alpha2: String, alpha3: String, currencyCode: String, languages: [String]) {
    self.alpha2 = alpha2
    self.alpha3 = alpha3
    self.currencyCode = currencyCode
    self.languages = languages
  }
}

extension Territory {
  /// The default storefront.
  static let unitedStates = Territory(alpha2: "US", alpha3: "USA", currencyCode: "USD", languages: ["en"])
}
