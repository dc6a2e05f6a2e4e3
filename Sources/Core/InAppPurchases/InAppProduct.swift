package import BridgeCore

/// A product of the store, as it is sold in one country.
package struct InAppProduct: Sendable, Hashable {
  /// The kind of a product. The raw value is that in lines of handlers, and in `.storekit` files.
  package enum Kind: String, Sendable {
    case consumable = "Consumable"
    case nonConsumable = "NonConsumable"
    case nonRenewingSubscription = "NonRenewingSubscription"
    case recurringSubscription = "RecurringSubscription"
  }

  /// The identifier under which it is sold.
  package var id: String
  /// Its kind.
  package var kind: Kind
  /// Its name in the country's language.
  package var title: String
  /// What it is, in the country's language.
  package var description: String
  /// The price; for a subscription, that of one period.
  package var price: InAppPrice
  /// Whether the members of a family share it.
  package var isFamilyShareable: Bool
  /// The terms of a subscription that renews; nil for other products.
  package var subscription: Subscription?

  /// The terms of a subscription that renews.
  package struct Subscription: Sendable, Hashable {
    /// Its group. An account has at most one subscription of a group.
    package var group: String
    /// Its level in the group; 1 is the highest.
    package var level: Int
    /// How long it lasts before it renews.
    package var period: InAppPeriod
    /// The offer for new subscribers of the group.
    package var introductoryOffer: InAppOffer?
    /// Whether the account would get the introductory offer.
    package var isEligibleForIntroductoryOffer: Bool
    /// The offers for present and former subscribers.
    package var promotionalOffers: [InAppOffer]
    /// The offers for former subscribers.
    package var winBackOffers: [InAppOffer]
    /// Whether the account has had a subscription of the group.
    package var hasBeenSubscribed: Bool
    /// Whether the account has a subscription of the group now.
    package var isSubscribed: Bool

    package init(
      group: String, level: Int, period: InAppPeriod, introductoryOffer: InAppOffer?,
      isEligibleForIntroductoryOffer: Bool, promotionalOffers: [InAppOffer], winBackOffers: [InAppOffer],
      hasBeenSubscribed: Bool, isSubscribed: Bool
    ) {
      self.group = group
      self.level = level
      self.period = period
      self.introductoryOffer = introductoryOffer
      self.isEligibleForIntroductoryOffer = isEligibleForIntroductoryOffer
      self.promotionalOffers = promotionalOffers
      self.winBackOffers = winBackOffers
      self.hasBeenSubscribed = hasBeenSubscribed
      self.isSubscribed = isSubscribed
    }
  }

  package init(
    id: String, kind: Kind, title: String, description: String, price: InAppPrice, isFamilyShareable: Bool,
    subscription: Subscription?
  ) {
    self.id = id
    self.kind = kind
    self.title = title
    self.description = description
    self.price = price
    self.isFamilyShareable = isFamilyShareable
    self.subscription = subscription
  }

  /// The product as handlers and answers get it.
  package var json: JSONValue {
    var members: [String: JSONValue] = [
      "id": .string(id), "type": .string(kind.rawValue), "title": .string(title), "description": .string(description),
      "price": price.json, "familyShareable": .bool(isFamilyShareable),
    ]
    if let subscription {
      members["subscription"] = [
        "group": .string(subscription.group), "level": .number(Double(subscription.level)),
        "period": .string(subscription.period.text),
        "introductoryOffer": subscription.introductoryOffer?.json ?? .null,
        "eligibleForIntroductoryOffer": .bool(subscription.isEligibleForIntroductoryOffer),
        "promotionalOffers": .array(subscription.promotionalOffers.map(\.json)),
        "winBackOffers": .array(subscription.winBackOffers.map(\.json)),
      ]
    }
    return .object(members)
  }
}

/// The length of a period of a subscription.
package struct InAppPeriod: Sendable, Hashable {
  /// A unit. The raw value is its letter in a duration of ISO 8601.
  package enum Unit: String, Sendable {
    case day = "D"
    case week = "W"
    case month = "M"
    case year = "Y"

    /// How many days it has, roughly.
    package var days: Double {
      switch self {
      case .day: 1
      case .week: 7
      case .month: 365.0 / 12
      case .year: 365
      }
    }
  }

  /// The unit.
  package let unit: Unit
  /// How many of them.
  package let count: Int

  package init(unit: Unit, count: Int) { (self.unit, self.count) = (unit, count) }

  /// The period as a duration of ISO 8601, such as `P1M`.
  package var text: String { "P\(count)\(unit.rawValue)" }
}

/// A reduced price of a subscription.
package struct InAppOffer: Sendable, Hashable {
  /// How it is paid. The raw value is that of `.storekit` files.
  package enum Mode: String, Sendable {
    case free
    case payAsYouGo
    case payUpFront
  }

  /// The identifier; nil for the introductory offer.
  package let id: String?
  /// How it is paid.
  package let mode: Mode
  /// The price of each period, or of all with ``Mode/payUpFront``.
  package let price: InAppPrice
  /// The length of a period.
  package let period: InAppPeriod
  /// How many periods it lasts.
  package let periodCount: Int

  package init(id: String?, mode: Mode, price: InAppPrice, period: InAppPeriod, periodCount: Int) {
    self.id = id
    self.mode = mode
    self.price = price
    self.period = period
    self.periodCount = periodCount
  }

  package var json: JSONValue {
    [
      "id": id.map { .string($0) } ?? .null, "mode": .string(mode.rawValue), "price": price.json,
      "period": .string(period.text), "periods": .number(Double(periodCount)),
    ]
  }
}
