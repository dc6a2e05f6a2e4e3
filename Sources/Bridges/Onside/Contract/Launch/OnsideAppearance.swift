public import BridgeRuntime

/// Sets how native screens look: ``Onside/appearance()`` (vendor's page "Customizing SDK Behavior").
@BridgeActor
public struct OnsideAppearance {
  let onside: Onside

  /// Sets the theme of all native screens.
  public func setThemeMode(_ mode: OnsideUIThemeMode) {
    onside.appearance = mode
  }
}

/// A native screen about which OnsideKit asks ``OnsideDelegate``. The raw value is the kind of its sheet.
///
/// The vendor's pages name the type and none of its cases. These are ours.
public enum OnsideScreen: String, Sendable, Hashable, CaseIterable {
  /// Asks who signs in.
  case login
  /// Asks for a payment.
  case payment
  /// Asks whether to buy at another price.
  case priceChange
  /// Asks for consent to a higher price of a subscription.
  case priceIncrease
  /// Says that a product is not sold in the account's country.
  case unavailable
  /// Lists the account's payment methods.
  case paymentMethods
}

/// A window scene of an app. Stands in for UIKit's class: sheets open in the page, so there is nothing to choose.
public final class UIWindowScene: Sendable {
  /// Creates a stand-in.
  public init() {}
}
