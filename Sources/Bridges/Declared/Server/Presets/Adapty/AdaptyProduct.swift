import InAppPurchases
import BridgeCore
import Sessions

/// Products and offers in Adapty's words (cross_platform.yaml 3.17, `AdaptyPaywallProduct.Response`).
extension InAppProduct {
  /// - Parameters:
  ///   - reference: What the paywall says about the product.
  ///   - index: Its place in the paywall.
  ///   - paywall: The paywall, as the page has given it.
  func adapty(_ reference: JSONValue, at index: Int, of paywall: JSONValue, region: String?) -> JSONValue {
    let product = reference["adapty_product_id"] ?? .string(id)
    var members: [String: JSONValue] = [
      "vendor_product_id": .string(id), "adapty_product_id": product,
      "access_level_id": reference["access_level_id"] ?? .string(AdaptyOptions.usualLevel),
      "product_type": .string(adaptyType), "paywall_product_index": .number(Double(index)),
      "paywall_variation_id": paywall["variation_id"] ?? "",
      "paywall_ab_test_name": paywall["placement"]?["ab_test_name"] ?? "",
      "paywall_name": paywall["paywall_name"] ?? "", "localized_title": .string(title),
      "localized_description": .string(description), "is_family_shareable": .bool(isFamilyShareable),
      "price": price.adapty,
    ]
    members["region_code"] = region.map { .string($0) }
    if let subscription {
      var terms: [String: JSONValue] = [
        "group_identifier": .string(subscription.group), "period": subscription.period.adapty,
      ]
      terms["offer"] = subscription.adaptyOffer(reference)
      members["subscription"] = .object(terms)
    }
    return .object(members)
  }

  /// The type of the product in the dashboard.
  var adaptyType: String {
    guard let period = subscription?.period else {
      switch kind {
      case .consumable: return "consumable"
      case .nonConsumable: return "lifetime"
      case .nonRenewingSubscription, .recurringSubscription: return "nonsubscriptions"
      }
    }
    return switch (period.unit, period.count) {
    case (.week, 1), (.day, 7): "weekly"
    case (.month, 1): "monthly"
    case (.month, 2): "two_months"
    case (.month, 3): "trimonthly"
    case (.month, 6): "semiannual"
    case (.year, 1), (.month, 12): "annual"
    default: "uncategorised"
    }
  }
}

extension InAppProduct.Subscription {
  /// The offer with which the product is sold: the paywall's win-back offer for a former subscriber, else its promotional offer, else the
  /// introductory one for who can have it.
  fileprivate func adaptyOffer(_ reference: JSONValue) -> JSONValue? {
    let winBack = reference["win_back_offer_id"]?.stringValue
    if hasBeenSubscribed, !isSubscribed, let offer = winBackOffers.first(where: { $0.id == winBack }) {
      return offer.adapty("win_back")
    }
    let promotional = reference["promotional_offer_id"]?.stringValue
    if let offer = promotionalOffers.first(where: { $0.id == promotional }) { return offer.adapty("promotional") }
    return isEligibleForIntroductoryOffer ? introductoryOffer?.adapty("introductory") : nil
  }
}

extension InAppOffer {
  fileprivate func adapty(_ type: String) -> JSONValue {
    var identifier: [String: JSONValue] = ["type": .string(type)]
    identifier["id"] = id.map { .string($0) }
    let phase: JSONValue = [
      "price": price.adapty, "subscription_period": period.adapty, "number_of_periods": .number(Double(periodCount)),
      "payment_mode": .string(mode.adapty),
    ]
    return ["offer_identifier": .object(identifier), "phases": [phase]]
  }
}

extension InAppOffer.Mode {
  /// The mode in Adapty's words.
  var adapty: String {
    switch self {
    case .free: "free_trial"
    case .payAsYouGo: "pay_as_you_go"
    case .payUpFront: "pay_up_front"
    }
  }
}

extension InAppPrice {
  fileprivate var adapty: JSONValue {
    [
      "amount": .number(value), "currency_code": .string(currencyCode), "currency_symbol": .string(sign),
      "localized_string": .string(text),
    ]
  }
}

extension InAppPeriod {
  fileprivate var adapty: JSONValue {
    let unit =
      switch unit {
      case .day: "day"
      case .week: "week"
      case .month: "month"
      case .year: "year"
      }
    return ["unit": .string(unit), "number_of_units": .number(Double(count))]
  }
}
