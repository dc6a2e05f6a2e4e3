import InAppPurchases
import BridgeCore
import Sessions

/// Products and offers in RevenueCat's words (purchases-hybrid-common 18.32.1, `StoreProduct+HybridAdditions.swift`,
/// `StoreProductDiscount+HybridAdditions.swift`).
extension InAppProduct {
  var revenueCat: JSONValue {
    var members: [String: JSONValue] = [
      "identifier": .string(id), "title": .string(title), "description": .string(description),
      "price": .number(price.value), "priceString": .string(price.text), "currencyCode": .string(price.currencyCode),
      "productCategory": subscription == nil ? "NON_SUBSCRIPTION" : "SUBSCRIPTION",
      "productType": .string(kind.revenueCat),
      "introPrice": subscription?.introductoryOffer?.revenueCat ?? .null,
      "discounts": .array(subscription?.promotionalOffers.map(\.revenueCat) ?? []),
      "subscriptionPeriod": subscription.map { .string($0.period.text) } ?? .null,
    ]
    for (name, days) in [("Week", 7.0), ("Month", 30.0), ("Year", 365.0)] {
      let part = subscription.map { price.with(value: price.value / $0.period.count(ofDays: days)) }
      members["pricePer\(name)"] = part.map { .number($0.value) } ?? .null
      members["pricePer\(name)String"] = part.map { .string($0.text) } ?? .null
    }
    return .object(members)
  }
}

extension InAppPeriod {
  /// How often a span of 7, 30 or 365 days fits into the period. A year has twelve months.
  fileprivate func count(ofDays days: Double) -> Double {
    let months: Double? =
      switch unit {
      case .month: Double(count)
      case .year: 12 * Double(count)
      case .day, .week: nil
      }
    if let months, days == 30 { return months }
    if let months, days == 365 { return months / 12 }
    let ownDays: Double =
      switch unit {
      case .day: 1
      case .week: 7
      case .month: 30
      case .year: 365
      }
    return ownDays * Double(count) / days
  }

  /// The unit in RevenueCat's words.
  fileprivate var unitName: String {
    switch unit {
    case .day: "DAY"
    case .week: "WEEK"
    case .month: "MONTH"
    case .year: "YEAR"
    }
  }

  /// The identifier of a package with this period; nil if there is no usual one.
  var packageID: String? {
    switch (unit, count) {
    case (.week, 1), (.day, 7): "$rc_weekly"
    case (.month, 1): "$rc_monthly"
    case (.month, 2): "$rc_two_month"
    case (.month, 3): "$rc_three_month"
    case (.month, 6): "$rc_six_month"
    case (.year, 1), (.month, 12): "$rc_annual"
    default: nil
    }
  }
}

extension InAppOffer {
  var revenueCat: JSONValue {
    var members: [String: JSONValue] = [
      "price": .number(price.value), "priceString": .string(price.text), "period": .string(period.text),
      "periodUnit": .string(period.unitName), "periodNumberOfUnits": .number(Double(period.count)),
      "cycles": .number(Double(periodCount)),
    ]
    members["identifier"] = id.map { .string($0) }
    return .object(members)
  }
}

extension InAppProduct.Kind {
  fileprivate var revenueCat: String {
    switch self {
    case .consumable: "CONSUMABLE"
    case .nonConsumable: "NON_CONSUMABLE"
    case .nonRenewingSubscription: "NON_RENEWABLE_SUBSCRIPTION"
    case .recurringSubscription: "AUTO_RENEWABLE_SUBSCRIPTION"
    }
  }
}
