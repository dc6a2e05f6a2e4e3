import BridgeCore

/// The products of one region as pages receive them. Each is priced, localised and serialised once, since pages load the same products
/// again and again.
struct PricedProducts {
  /// A product and the text of its `JSProduct`.
  final class Entry {
    let product: OnsideProduct
    let text: [UInt8]
    /// Whether `purchase` finds the product.
    var isLoaded = false
    /// The number of the latest answer that includes the product.
    fileprivate var answer = 0

    init(_ product: OnsideProduct) {
      self.product = product
      text = product.text
    }
  }

  private var territory: Territory?
  private var locale = ""
  private var entries: [String: Entry] = [:]
  private var answerCount = 0

  /// The products found, each once, in the order of the identifiers; and the identifiers that are unknown or not sold in the region.
  typealias Found = (found: [Entry], invalid: [String])

  /// Finds the products with these identifiers as they are sold in `territory`.
  mutating func find(
    _ identifiers: [String],
    of configuration: OnsideConfiguration,
    in territory: Territory,
    locale: String
  ) -> Found {
    if territory.alpha2 != self.territory?.alpha2 || locale != self.locale {
      self.territory = territory
      self.locale = locale
      entries = [:]
    }
    answerCount += 1
    var found: [Entry] = []
    var invalid: [String] = []
    var seenInvalid: Set<String> = []
    for identifier in identifiers {
      guard let entry = entry(identifier, of: configuration) else {
        if seenInvalid.insert(identifier).inserted { invalid.append(identifier) }
        continue
      }
      if entry.answer != answerCount { found.append(entry) }
      entry.answer = answerCount
    }
    return (found, invalid)
  }

  private mutating func entry(_ identifier: String, of configuration: OnsideConfiguration) -> Entry? {
    if let entry = entries[identifier] { return entry }
    guard let territory, let product = configuration.product(identifier, in: territory, locale: locale) else {
      return nil
    }
    let entry = Entry(product)
    entries[identifier] = entry
    return entry
  }
}
