import OnsideKit

/// A catalogue as a table for people.
struct CatalogueTable {
  /// The table's lines, the heading first.
  let lines: [String]

  init(_ configuration: StoreKitConfiguration) {
    let currency = configuration.settings.storefront?.currencyCode
    let heading = ["Product", "Type", currency.map { "Price in \($0)" } ?? "Price", "Period", "Title"]
    let rows = configuration.catalogue.products.map { product in
      [
        product.id,
        product.type.rawValue,
        "\(product.price)",
        product.subscription?.period.iso8601 ?? "",
        product.localization(for: nil, fallbackLocale: configuration.settings.locale ?? "en_US")?.displayName
          ?? product.referenceName ?? "",
      ]
    }
    let widths = heading.indices.map { column in ([heading] + rows).map { $0[column].count }.max() ?? 0 }
    lines = ([heading] + rows).map { row in
      var line = ""
      for (column, cell) in row.enumerated() {
        line += cell + String(repeating: " ", count: widths[column] - cell.count + 2)
      }
      return String(line.reversed().drop { $0 == " " }.reversed())
    }
  }
}
