import BridgeCore

/// The keys of a `.storekit` document that Footbridge does not use, for remarks: each key once, with the place where it is first.
///
/// A key without a value (`null`, `false`, an empty text, list or object) says nothing, and is none of them. Nor are ids, names for Xcode and
/// the version: nothing in a store depends on them.
struct UnusedStoreKitKeys {
  /// What is used of a value.
  private indirect enum Used: Sendable {
    /// All of it.
    case whole
    /// The members of an object that have these names, and of each what it says.
    case members([String: Used])
    /// The same of each element.
    case elements(Used)
  }

  /// The places with the same key.
  private struct Places {
    let first: String
    var count = 1
  }

  private var places: [String: Places] = [:]

  /// The maximum number of remarks, and of characters of a key in one.
  private static let (remarkLimit, keyLimit) = (50, 60)

  /// Looks for the keys in a document.
  init(in document: JSONValue) { look(at: document, Self.document, path: "$") }

  /// A remark for each key, by its place.
  var remarks: [String] {
    let sorted = places.values.sorted { $0.first < $1.first }
    let texts = sorted.prefix(Self.remarkLimit).map { place in
      "\(place.first) is not used\(place.count > 1 ? " (\(place.count) places)" : "")."
    }
    let rest = sorted.count - texts.count
    return texts + (rest > 0 ? ["\(rest) more keys are not used."] : [])
  }

  private mutating func look(at value: JSONValue, _ used: Used, path: String) {
    switch (used, value) {
    case (.members(let known), .object(let members)):
      for (key, value) in members.sorted(by: { $0.key < $1.key }) {
        let place = "\(path).\(key.prefix(Self.keyLimit))"
        if let used = known[key] {
          look(at: value, used, path: place)
        } else if !Self.silent.contains(key), !Self.isEmpty(value) {
          note(key, at: place)
        }
      }
    case (.elements(let used), .array(let elements)):
      for (index, element) in elements.enumerated() { look(at: element, used, path: "\(path)[\(index)]") }
    default: break
    }
  }

  private mutating func note(_ key: String, at place: String) {
    if places[key] == nil { places[key] = Places(first: place) } else { places[key]?.count += 1 }
  }

  /// Whether a value says nothing. Xcode writes policies that are nothing but a locale.
  private static func isEmpty(_ value: JSONValue) -> Bool {
    switch value {
    case .null, .bool(false): true
    case .string(let text): text.isEmpty
    case .array(let elements): elements.allSatisfy(isEmpty)
    case .object(let members): members.allSatisfy { $0.key == "locale" || isEmpty($0.value) }
    case .bool, .number: false
    }
  }

  // MARK: What is used

  /// Keys without an effect in a store: ids, names for Xcode, and what repeats another key.
  private static let silent: Set<String> = [
    "identifier", "version", "internalID", "referenceName", "name", "subscriptionGroupID", "_applicationInternalID",
    "_developerTeamID", "_lastSynchronizedDate", "_compatibilityTimeRate",
  ]

  private static func members(_ names: String...) -> [String: Used] {
    Dictionary(uniqueKeysWithValues: names.map { ($0, .whole) })
  }

  private static let document: Used = {
    let offer = Used.members(
      members("offerID", "paymentMode", "subscriptionPeriod", "numberOfPeriods", "displayPrice"))
    var product = members("productID", "type", "displayPrice", "familyShareable")
    product["localizations"] = .elements(.members(members("locale", "displayName", "description")))
    var subscription = product
    subscription.merge(members("groupNumber", "recurringSubscriptionPeriod")) { $1 }
    subscription["billingPlans"] = .elements(
      .members(members("billingPlanType", "isEnabled", "displayPrice", "commitmentDisplayPrice")))
    subscription["introductoryOffer"] = offer
    for list in ["introductoryOffers", "adHocOffers", "promotionalOffers", "winbackOffers"] {
      subscription[list] = .elements(offer)
    }
    var group = members("id")
    group["subscriptions"] = .elements(.members(subscription))
    var settings = members(
      "_storefront", "_locale", "_failTransactionsEnabled", "_askToBuyEnabled", "_interruptedPurchasesEnabled",
      "_disableDialogs", "_billingGracePeriodEnabled", "_renewalBillingIssuesEnabled", "_billingIssuesEnabled",
      "_timeRate")
    settings["_storeKitErrors"] = .elements(.members(members("enabled", "current")))
    return .members([
      "products": .elements(.members(product)), "nonRenewingSubscriptions": .elements(.members(product)),
      "subscriptionGroups": .elements(.members(group)), "settings": .members(settings),
    ])
  }()
}
