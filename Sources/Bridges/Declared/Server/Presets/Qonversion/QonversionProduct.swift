import InAppPurchases
import BridgeCore
import Sessions

/// Products and offers in Qonversion's words (sandwich-sdk 7.11.0, `Mappers.swift`).
extension InAppProduct {
  /// - Parameter id: Its id in the dashboard.
  func qonversion(_ id: String, offering: String? = nil) -> JSONValue {
    let introductory = subscription?.introductoryOffer
    let type =
      subscription == nil ? "InApp" : introductory?.mode == .free ? "Trial" : "Subscription"
    var members: [String: JSONValue] = [
      "id": .string(id), "storeId": .string(self.id), "type": .string(type), "prettyPrice": .string(price.text),
      "skProduct": skProduct,
    ]
    members["subscriptionPeriod"] = subscription?.period.qonversion
    members["trialPeriod"] = introductory?.mode == .free ? introductory?.period.qonversion : nil
    members["offeringId"] = offering.map { .string($0) }
    return .object(members)
  }

  private var skProduct: JSONValue {
    var members: [String: JSONValue] = [
      "productIdentifier": .string(id), "localizedTitle": .string(title), "localizedDescription": .string(description),
      "price": price.decimal, "priceLocale": price.qonversionLocale, "isDownloadable": false,
      "downloadContentVersion": "", "downloadContentLengths": [], "isFamilyShareable": .bool(isFamilyShareable),
      "discounts": .array(subscription?.promotionalOffers.map(\.qonversion) ?? []),
    ]
    members["subscriptionGroupIdentifier"] = subscription.map { .string($0.group) }
    members["subscriptionPeriod"] = subscription?.period.skPeriod
    members["introductoryPrice"] = subscription?.introductoryOffer?.qonversion
    return .object(members)
  }
}

extension InAppOffer {
  /// An offer as an `SKProductDiscount`.
  var qonversion: JSONValue {
    let paymentMode: Double =
      switch mode {
      case .payAsYouGo: 0
      case .payUpFront: 1
      case .free: 2
      }
    var members: [String: JSONValue] = [
      "price": price.decimal, "priceLocale": price.qonversionLocale, "numberOfPeriods": .number(Double(periodCount)),
      "subscriptionPeriod": period.skPeriod, "paymentMode": .number(paymentMode), "type": id == nil ? 0 : 1,
    ]
    members["identifier"] = id.map { .string($0) }
    return .object(members)
  }
}

extension InAppPrice {
  /// The price as `NSDecimalNumber` writes it.
  fileprivate var decimal: JSONValue { .string(JSONValue.number(value).jsonText) }

  fileprivate var qonversionLocale: JSONValue {
    [
      "currencySymbol": .string(sign), "currencyCode": .string(currencyCode), "localeIdentifier": .string(locale),
    ]
  }
}

extension InAppPeriod {
  private var unitNames: (name: String, raw: Double) {
    switch unit {
    case .day: ("Day", 0)
    case .week: ("Week", 1)
    case .month: ("Month", 2)
    case .year: ("Year", 3)
    }
  }

  fileprivate var qonversion: JSONValue {
    ["unit": .string(unitNames.name), "unitCount": .number(Double(count)), "iso": .string(text)]
  }

  fileprivate var skPeriod: JSONValue {
    ["numberOfUnits": .number(Double(count)), "unit": .number(unitNames.raw)]
  }
}
