import BridgeCore
package import OnsideKit
package import Sessions

/// The initial state of a session at the store, or a later change of it.
package struct OnsideBeginning: BridgeBeginning {
  /// Who is signed in.
  package enum Account: Sendable {
    /// This account. `place` is where it is written, for errors.
    case signedIn(_ id: String, place: String)
    /// Nobody is signed in.
    case signedOut
  }

  /// Who is signed in; nil leaves it unchanged.
  package var account: Account?
  /// The new country of the signed-in account, ISO 3166-1 alpha-2; nil leaves it unchanged.
  package var country: String?
  /// Whether the storefront of the account that is signed in is not available. False leaves it unchanged.
  package var isStorefrontAway = false
  /// The contract of `window.onside`; nil for the default.
  package var contract: OnsideContract?
  /// The changes to the store's settings.
  package var settings = OnsideSettingsChanges()
  /// The earlier purchases.
  package var purchases: [SeededPurchase] = []
  /// The transactions of an earlier launch.
  package var transactions: [SeededTransaction] = []

  /// Changes nothing.
  package init() {}

  private var products: [SeededProduct] { purchases.map(\.product) + transactions.map(\.product) }

  /// The settings after the changes.
  private func settings(after present: OnsideSettings) -> OnsideSettings {
    var settings = present
    if let contract { settings.contract = contract }
    self.settings.apply(to: &settings)
    if let country { settings.storefront = country }
    return settings
  }

  /// Checks that the contract has the errors of calls and transactions.
  private func checkErrors(after present: OnsideSettings) throws(OptionError) {
    let settings = settings(after: present)
    try OptionError.refusing { () throws(OnsideSettingsError) in
      try settings.checkErrors()
      for transaction in transactions { try transaction.check(with: settings.contract) }
    }
  }

  private func signedIn(after present: String?) -> String? {
    switch account {
    case .signedIn(let id, _): id
    case .signedOut: nil
    case nil: present
    }
  }

  /// Checks whether the earlier purchases are possible in a new session.
  ///
  /// - Throws: `OptionError` with the place of the product.
  package func check(with configuration: OnsideConfiguration) throws(OptionError) {
    try checkErrors(after: configuration.settings)
    let storefront = settings(after: configuration.settings).storefront
    let accounts = configuration.startingAccounts(storefront: storefront)
    for product in products {
      _ = try product.buyer(among: accounts, signedIn: signedIn(after: nil), in: configuration)
    }
  }

  package func check(in bridge: any SessionBridge) throws(OptionError) {
    guard let session = bridge as? OnsideSession else { return }
    let onside = session.onside
    if case .signedIn(let id, let place) = account, !onside.accounts.contains(where: { $0.id == id }) {
      let ids = onside.accounts.map(\.id)
      let given = id.count <= 80 ? " It is \(JSONValue.string(id).jsonText)." : ""
      throw OptionError(
        "\(place) must be null or one of: \(ids.joined(separator: ", ")).\(given)"
          + Spelling.suggestion(for: id, in: ids))
    }
    try checkErrors(after: onside.settings)
    // If accounts move, what they can buy is known only then.
    if settings(after: onside.settings).storefront != onside.settings.storefront { return }
    for product in products { _ = try session.buyer(of: product, signedIn: signedIn(after: onside.account?.id)) }
  }

  package func begin(in bridge: any SessionBridge) throws(OptionError) {
    guard let session = bridge as? OnsideSession else { return }
    let onside = session.onside
    if let contract { session.follow(contract) }
    let settings = settings(after: onside.settings)
    if onside.settings != settings { onside.settings = settings }
    switch account {
    case .signedIn(let id, _): session.signIn(account: id)
    case .signedOut: onside.logout()
    case nil: break
    }
    if let country, let account = onside.account {
      onside.isStorefrontAway = false
      onside.move(account: account.id, to: country)
    }
    if isStorefrontAway { onside.isStorefrontAway = true }
    // Another device of the world may have added them before.
    let isKnown = onside.state.world != nil && !onside.ledger.purchases.isEmpty
    if !isKnown { for purchase in purchases { _ = try purchase.make(in: session) } }
    for transaction in transactions { _ = try transaction.make(in: session) }
  }
}
