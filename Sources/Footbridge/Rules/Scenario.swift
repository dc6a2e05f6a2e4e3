public import OnsideKit

/// A named way for things to go: what a session begins with so that they do.
public struct Scenario: Sendable {
  /// The rules, first come first served.
  public var rules: [Rule] = []
  /// The id of the account that is signed in; nil leaves that as it is.
  public var account: String?
  /// The changes to the session's settings.
  var settings = OnsideSettingsChanges()
  /// The purchases that were made before.
  var purchases: [SeededPurchase] = []
  /// The transactions that an earlier launch has left.
  var transactions: [SeededTransaction] = []

  /// What was bought and begun before.
  var seededProducts: [SeededProduct] { purchases.map(\.product) + transactions.map(\.product) }

  /// Checks that what was bought before can be bought at all. Throws ``OptionError`` with the place in the file.
  public func check(with configuration: OnsideConfiguration) throws(OptionError) {
    var settings = configuration.settings
    self.settings.apply(to: &settings)
    let accounts = configuration.startingAccounts(storefront: settings.storefront)
    for product in seededProducts { _ = try product.buyer(among: accounts, signedIn: account, in: configuration) }
  }
}
