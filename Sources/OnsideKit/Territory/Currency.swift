/// ISO 4217 facts that prices need.
public enum Currency {
  private static let withoutMinorUnit: Set<String> = [
    "BIF", "CLP", "DJF", "GNF", "ISK", "JPY", "KMF", "KRW", "PYG", "RWF", "UGX", "UYI", "VND", "VUV", "XAF", "XOF",
    "XPF",
  ]
  private static let withThousandths: Set<String> = ["BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"]
  private static let withTenThousandths: Set<String> = ["CLF", "UYW"]

  /// The number of decimal digits of the currency's minor unit: 2 for `EUR`, 0 for `JPY`, 3 for `KWD`; 2 for an unknown code.
  public static func exponent(of currencyCode: String) -> Int {
    if withoutMinorUnit.contains(currencyCode) { return 0 }
    if withThousandths.contains(currencyCode) { return 3 }
    return withTenThousandths.contains(currencyCode) ? 4 : 2
  }

  /// Whether `code` has the form of an ISO 4217 code: three capital letters.
  public static func isWellFormed(_ code: String) -> Bool {
    code.utf8.count == 3 && code.utf8.allSatisfy { (0x41...0x5A).contains($0) }
  }
}
