/// The kind of a product; the raw value is that of a `.storekit` file's `type`.
public enum CatalogueProductType: String, Sendable, Codable, CaseIterable {
  /// Used up, and bought again.
  case consumable = "Consumable"
  /// Bought once; restored for ever.
  case nonConsumable = "NonConsumable"
  /// A subscription that ends by itself.
  case nonRenewingSubscription = "NonRenewingSubscription"
  /// A subscription that renews until it is cancelled.
  case recurringSubscription = "RecurringSubscription"
}
