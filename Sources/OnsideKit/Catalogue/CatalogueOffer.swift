public import Foundation

/// A reduced price of a subscription.
public struct CatalogueOffer: Sendable, Hashable {
  /// How the reduced price is paid; the raw value is that of a `.storekit` file's `paymentMode`.
  public enum PaymentMode: String, Sendable, CaseIterable {
    /// Nothing is paid.
    case free
    /// The price is paid for each of ``CatalogueOffer/numberOfPeriods`` periods.
    case payAsYouGo
    /// The price is paid once, for the whole period.
    case payUpFront
  }

  /// The identifier of a promotional or win-back offer; an introductory offer has none.
  public let offerID: String?
  /// How it is paid.
  public let paymentMode: PaymentMode
  /// The price per period in major units; zero for a free offer.
  public let price: Decimal
  /// The length of one period.
  public let period: OnsidePeriod
  /// How many periods the offer lasts; at least 1.
  public let numberOfPeriods: Int
}
