package import BridgeCore
package import BridgeRuntime
package import Essentials

/// The store of a session: what every bridge sells with, pages of `window.onside` among them. One bridge plays it; the interface knows no
/// vendor's words, and not who asks.
///
/// An account of the store buys. If nobody is signed in, a purchase and a restore show the login first. Everything else answers for nobody: it
/// is empty.
@BridgeActor
package protocol InAppStore: AnyObject {
  /// The products with these identifiers, in this order, as they are sold in the present country; nil for all products. Those that are unknown
  /// or not sold there are left out.
  func products(_ identifiers: [String]?) async throws(InAppError) -> [InAppProduct]

  /// Asks for a purchase. Purchases and restores reach the store's queue in the order in which they were asked for, whoever asks.
  ///
  /// - Parameters:
  ///   - page: The page that shows the sheets and is asked about the purchase; nil for any.
  ///   - answer: Called once: in the turn in which the purchase enters the queue, just before it does, with its id there; or with the reason
  ///     why it does not.
  func request(
    _ purchase: InAppPurchase, for page: BridgeHost.ID?,
    answer: @escaping @BridgeActor (Result<UUID, InAppError>) -> Void)

  /// Asks for a restore. `answer` is called once, when it begins, or with the reason why it does not.
  func requestRestore(for page: BridgeHost.ID?, answer: @escaping @BridgeActor (InAppError?) -> Void)

  /// Finishes what is in the queue under this id, whatever has become of it; nil for an id that cannot be there. `accepted` is called before
  /// anything leaves the queue.
  func finish(entry id: UUID?, accepted: () -> Void) throws(InAppError)

  /// Buys a product. Returns when the person and the store have decided.
  ///
  /// - Parameter page: The page that shows the sheets; nil for any.
  func purchase(_ purchase: InAppPurchase, for page: BridgeHost.ID?) async throws(InAppError) -> InAppPurchase.Outcome

  /// Asks the store for what the account has bought, as the person's button "Restore purchases". Returns the entitlements.
  func restore(for page: BridgeHost.ID?) async throws(InAppError) -> [InAppTransaction]

  /// Notes that the app has delivered what a transaction is about.
  ///
  /// - Parameter id: The id of the transaction.
  func finish(_ id: String) throws(InAppError)

  /// The transactions that the app has not finished, oldest first.
  var unfinished: [InAppTransaction] { get }

  /// What the account has now, oldest first: products that cannot be used up, and active subscriptions.
  var entitlements: [InAppTransaction] { get }

  /// All transactions of the account, oldest first.
  var transactions: [InAppTransaction] { get }

  /// The bundle identifier of the app.
  var bundleIdentifier: String { get }

  /// The storefront of the account; nil while nobody is signed in.
  var storefront: InAppStorefront? { get }

  /// The account's history as a compact JWS (RFC 7515), signed with the store's key.
  func history() async throws(InAppError) -> String

  /// A transaction as a compact JWS, signed with the store's key.
  func signed(_ transaction: InAppTransaction) async throws(InAppError) -> String

  /// Calls `hear` with what happens to the account's transactions from now on without a call of the app, each after it is stored. With the
  /// first listener, the store delivers what it has retained.
  func listen(_ hear: @escaping @BridgeActor (InAppNotice) -> Void) -> InAppListening
}

/// The country in which an account buys: its codes of ISO 3166-1.
package struct InAppStorefront: Sendable, Hashable {
  package let alpha2: String
  package let alpha3: String

  package init(alpha2: String, alpha3: String) { (self.alpha2, self.alpha3) = (alpha2, alpha3) }
}

/// A listener of the store. It hears nothing more once it is released or has ended.
@BridgeActor
package final class InAppListening {
  private var onEnd: (@BridgeActor () -> Void)?

  package init(onEnd: @escaping @BridgeActor () -> Void) { self.onEnd = onEnd }

  /// Ends the listening.
  package func end() {
    onEnd?()
    onEnd = nil
  }
}
