import InAppPurchases
import BridgeCore
import Sessions

/// Products and offers as the plugin's page gets them (cordova-plugin-purchase 13.18.0, `appstore-bridge.ts`).
extension InAppProduct {
  func cordovaPurchase(country: String?) -> JSONValue {
    var members: [String: JSONValue] = [
      "id": .string(id), "title": .string(title), "description": .string(description), "price": .string(price.text),
      "priceMicros": .number(price.micros), "currency": .string(price.currencyCode),
      "countryCode": country.map { .string($0) } ?? .null, "discounts": [],
    ]
    guard let subscription else { return .object(members) }
    members["group"] = .string(subscription.group)
    members["billingPeriod"] = .number(Double(subscription.period.count))
    members["billingPeriodUnit"] = .string(subscription.period.unitName)
    members["discounts"] = .array(subscription.promotionalOffers.map(\.cordovaPurchase))
    if let offer = subscription.introductoryOffer {
      members["introPrice"] = .string(offer.price.text)
      members["introPriceMicros"] = .number(offer.price.micros)
      members["introPricePeriod"] = .number(Double(offer.periodCount * offer.period.count))
      members["introPricePeriodUnit"] = .string(offer.period.unitName)
      members["introPricePaymentMode"] = .string(offer.mode.name)
    }
    return .object(members)
  }
}

extension InAppPrice {
  fileprivate var micros: Double { (value * 1_000_000).rounded() }
}

extension InAppPeriod {
  fileprivate var unitName: String {
    switch unit {
    case .day: "Day"
    case .week: "Week"
    case .month: "Month"
    case .year: "Year"
    }
  }
}

extension InAppOffer {
  fileprivate var cordovaPurchase: JSONValue {
    [
      "id": id.map { .string($0) } ?? .null, "type": "Subscription", "price": .string(price.text),
      "priceMicros": .number(price.micros), "period": .number(Double(periodCount * period.count)),
      "periodUnit": .string(period.unitName), "paymentMode": .string(mode.name),
    ]
  }
}

extension InAppOffer.Mode {
  fileprivate var name: String {
    switch self {
    case .free: "FreeTrial"
    case .payAsYouGo: "PayAsYouGo"
    case .payUpFront: "UpFront"
    }
  }
}
