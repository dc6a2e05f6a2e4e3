import Essentials

extension StoreKitConfiguration {
  /// Every product of the document, subscriptions last. Adds a remark for each offer that is left out.
  static func products(
    of root: StoreKitNode,
    remarks: inout [String]
  ) throws(StoreKitConfigurationError) -> [CatalogueProduct] {
    var nodes: [(node: StoreKitNode, group: String?, type: CatalogueProductType?)] = []
    for node in try root.member("products").elements() { nodes.append((node, nil, nil)) }
    for node in try root.member("nonRenewingSubscriptions").elements() {
      nodes.append((node, nil, .nonRenewingSubscription))
    }
    var groups = UniqueIdentifiers()
    for group in try root.member("subscriptionGroups").elements() {
      let identifier = try group.member("id").nonEmptyString()
      try groups.add(identifier, of: group, member: "id")
      for node in try group.member("subscriptions").elements() {
        nodes.append((node, identifier, .recurringSubscription))
      }
    }
    var products: [CatalogueProduct] = []
    var identifiers = UniqueIdentifiers()
    for (node, group, type) in nodes {
      let product = try product(of: node, group: group, defaultType: type, remarks: &remarks)
      try identifiers.add(product.id, of: node, member: "productID")
      products.append(product)
    }
    return products
  }

  private static func product(
    of node: StoreKitNode,
    group: String?,
    defaultType: CatalogueProductType?,
    remarks: inout [String]
  ) throws(StoreKitConfigurationError) -> CatalogueProduct {
    let typeNode = try node.member("type")
    let type = try typeNode.optionalString().map(CatalogueProductType.init(rawValue:)) ?? defaultType
    guard let type, (type == .recurringSubscription) == (group != nil) else {
      let allowed: [CatalogueProductType] =
        group == nil ? [.consumable, .nonConsumable, .nonRenewingSubscription] : [.recurringSubscription]
      throw typeNode.mismatch(allowed.map { "\"\($0.rawValue)\"" }.joined(separator: " or "))
    }
    var subscription: CatalogueSubscription?
    if let group { subscription = try Self.subscription(of: node, group: group, remarks: &remarks) }
    return CatalogueProduct(
      id: try node.member("productID").nonEmptyString(),
      type: type,
      price: try node.member("displayPrice").price(),
      referenceName: try node.member("referenceName").optionalString(),
      internalID: try node.member("internalID").optionalString(),
      localizations: try localizations(of: node),
      subscription: subscription,
      isFamilyShareable: try node.member("familyShareable").optionalBool() ?? false
    )
  }

  private static func localizations(
    of node: StoreKitNode
  ) throws(StoreKitConfigurationError) -> [CatalogueLocalization] {
    var localizations: [CatalogueLocalization] = []
    var locales = UniqueIdentifiers()
    for node in try node.member("localizations").elements() {
      try locales.add(try node.member("locale").nonEmptyString(), of: node, member: "locale")
      localizations.append(
        CatalogueLocalization(
          locale: try node.member("locale").nonEmptyString(),
          displayName: try node.member("displayName").optionalString() ?? "",
          description: try node.member("description").optionalString() ?? ""
        ))
    }
    return localizations
  }

  private static func subscription(
    of node: StoreKitNode,
    group: String,
    remarks: inout [String]
  ) throws(StoreKitConfigurationError) -> CatalogueSubscription {
    // A single offer up to version 4, an array in later ones.
    let single = offer(of: try node.member("introductoryOffer"), remarks: &remarks)
    let several = try offers(of: node, ["introductoryOffers"], remarks: &remarks)
    // The offers that are named by their ids. What is no offer at all is left out, with a remark.
    var identifiers = UniqueIdentifiers()
    for name in ["adHocOffers", "promotionalOffers", "winbackOffers"] {
      for node in try node.member(name).elements() {
        guard let identifier = try? node.member("offerID").optionalString() else { continue }
        try identifiers.add(identifier, of: node, member: "offerID")
      }
    }
    try remarkPlans(of: node, remarks: &remarks)
    let groupNumber = try node.member("groupNumber")
    let number = try groupNumber.optionalInteger() ?? 1
    guard number >= 1 else { throw groupNumber.mismatch("a whole number from 1") }
    return CatalogueSubscription(
      groupIdentifier: group,
      groupNumber: number,
      period: try node.member("recurringSubscriptionPeriod").period(),
      introductoryOffer: single ?? several.first,
      promotionalOffers: try offers(of: node, ["adHocOffers", "promotionalOffers"], remarks: &remarks),
      winBackOffers: try offers(of: node, ["winbackOffers"], remarks: &remarks)
    )
  }

  /// Adds a remark for each billing plan that is left out. The store sells a subscription as a whole period at its price, which is the plan
  /// `BILLED_UPFRONT`; `MONTHLY` bills a year in twelve parts.
  private static func remarkPlans(of node: StoreKitNode, remarks: inout [String]) throws(StoreKitConfigurationError) {
    for plan in try node.member("billingPlans").elements() {
      let type = try plan.member("billingPlanType").string()
      guard type != "BILLED_UPFRONT", try plan.member("isEnabled").optionalBool() ?? true else { continue }
      remarks.append(
        "\(plan.path): subscriptions are sold with the billing plan BILLED_UPFRONT alone. The plan \(type.prefix(60)) is left out."
      )
    }
  }

  private static func offers(
    of node: StoreKitNode,
    _ names: [String],
    remarks: inout [String]
  ) throws(StoreKitConfigurationError) -> [CatalogueOffer] {
    var offers: [CatalogueOffer] = []
    for name in names {
      for node in try node.member(name).elements() {
        if let offer = offer(of: node, remarks: &remarks) { offers.append(offer) }
      }
    }
    return offers
  }

  /// The offer, if there is one. Xcode saves offers that somebody has begun to fill in, with `"none"` for the payment mode or an empty price:
  /// these count as none.
  private static func offer(of node: StoreKitNode, remarks: inout [String]) -> CatalogueOffer? {
    guard let node = node.present else { return nil }
    do throws(StoreKitConfigurationError) {
      return try wholeOffer(of: node)
    } catch {
      remarks.append("\(error) The offer is left out.")
      return nil
    }
  }

  private static func wholeOffer(of node: StoreKitNode) throws(StoreKitConfigurationError) -> CatalogueOffer {
    let modeNode = try node.member("paymentMode")
    guard let mode = CatalogueOffer.PaymentMode(rawValue: try modeNode.string()) else {
      throw modeNode.mismatch(
        CatalogueOffer.PaymentMode.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: " or "))
    }
    let period = try node.member("subscriptionPeriod").period()
    let countNode = try node.member("numberOfPeriods")
    let count = try countNode.optionalInteger() ?? 1
    guard (1...1000).contains(count), period.times(count) != nil else {
      throw countNode.mismatch("a whole number from 1 to 1000")
    }
    return CatalogueOffer(
      offerID: try node.member("offerID").optionalString(),
      paymentMode: mode,
      // Xcode's editor may leave a price in a free offer. Ignore it.
      price: mode == .free ? 0 : try node.member("displayPrice").price(),
      period: period,
      numberOfPeriods: count
    )
  }
}

/// The identifiers of a list, each of which may occur once.
private struct UniqueIdentifiers {
  private var paths: [String: String] = [:]

  /// Adds the identifier that a node has in `member`.
  ///
  /// - Throws: An error with both places if another node has it.
  mutating func add(
    _ identifier: String, of node: StoreKitNode, member: String
  ) throws(StoreKitConfigurationError) {
    if let earlier = paths[identifier] {
      throw try node.member(member).mismatch("an identifier other than that of \(earlier)")
    }
    paths[identifier] = node.path
  }
}
