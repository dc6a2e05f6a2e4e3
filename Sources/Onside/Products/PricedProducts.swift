import BridgeCore

/// The products of one region as pages are told of them: each is priced, localised and written once, since pages load the same ones again
/// and again.
struct PricedProducts {
  /// A product with the text of its `JSProduct`.
  final class Entry {
    let product: OnsideProduct
    let text: [UInt8]
    /// Whether `purchase` finds the product.
    var isLoaded = false

    init(_ product: OnsideProduct) {
      self.product = product
      var writer = JSONWriter()
      writer.write(product.json)
      text = writer.bytes
    }
  }

  private var territory: Territory?
  private var locale = ""
  private var entries: [String: Entry] = [:]

  /// The product as it is sold in `territory`; nil when it is not known or not sold there.
  mutating func entry(
    _ identifier: String,
    of configuration: OnsideConfiguration,
    in territory: Territory,
    locale: String
  ) -> Entry? {
    if territory.alpha2 != self.territory?.alpha2 || locale != self.locale {
      self.territory = territory
      self.locale = locale
      entries = [:]
    }
    if let entry = entries[identifier] { return entry }
    guard let product = configuration.product(identifier, in: territory, locale: locale) else { return nil }
    let entry = Entry(product)
    entries[identifier] = entry
    return entry
  }
}
