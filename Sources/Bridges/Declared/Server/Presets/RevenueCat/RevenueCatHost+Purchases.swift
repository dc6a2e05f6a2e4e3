import BridgeCore
import BridgeRuntime
import Sessions

/// The calls that ask the store, or the backend.
extension RevenueCatHost {
  typealias Work = @BridgeActor (Call) async throws(RevenueCatError) -> JSONValue

  /// The work of a method; nil if there is no such method.
  func work(of method: String) -> Work? {
    switch method {
    case "getOfferings", "syncAttributesAndOfferingsIfNeeded":
      { _ async throws(RevenueCatError) in try await self.offerings().json }
    case "getCurrentOfferingForPlacement":
      { call async throws(RevenueCatError) in
        let placement = try call.text("placementIdentifier")
        return try await self.offerings().json(ofPlacement: placement) ?? [:]
      }
    case "getProducts": products
    case "purchaseStoreProduct":
      { call async throws(RevenueCatError) in try await self.purchase(try self.productID(call, "product"), call) }
    case "purchasePackage":
      { call async throws(RevenueCatError) in try await self.purchase(try await self.packagedProduct(call), call) }
    case "purchaseDiscountedProduct":
      { call async throws(RevenueCatError) in
        try await self.purchase(try self.productID(call, "product"), call, offer: try self.signedOffer(call))
      }
    case "purchaseDiscountedPackage":
      { call async throws(RevenueCatError) in
        try await self.purchase(try await self.packagedProduct(call), call, offer: try self.signedOffer(call))
      }
    case "purchaseProductWithWinBackOffer":
      { call async throws(RevenueCatError) in
        try await self.purchase(try self.productID(call, "product"), call, offer: try self.winBackOffer(call))
      }
    case "purchasePackageWithWinBackOffer":
      { call async throws(RevenueCatError) in
        try await self.purchase(try await self.packagedProduct(call), call, offer: try self.winBackOffer(call))
      }
    case "getPromotionalOffer": promotionalOffer
    case "getEligibleWinBackOffersForProduct":
      { call async throws(RevenueCatError) in try await self.winBackOffers(of: try self.productID(call, "product")) }
    case "getEligibleWinBackOffersForPackage":
      { call async throws(RevenueCatError) in
        guard let id = call["aPackage"]?["product"]?["identifier"]?.stringValue else { throw .missing("aPackage") }
        return try await self.winBackOffers(of: id)
      }
    case "checkTrialOrIntroductoryPriceEligibility": eligibility
    case "restorePurchases":
      { call async throws(RevenueCatError) in ["customerInfo": try await self.restore(call)] }
    case "syncPurchases":
      { _ async throws(RevenueCatError) in
        self.deliverAll()
        self.tellListeners()
        return self.information.json
      }
    case "recordPurchase": record
    default: userWork(of: method)
    }
  }

  private func userWork(of method: String) -> Work? {
    switch method {
    case "getCustomerInfo": { _ async throws(RevenueCatError) in ["customerInfo": self.information.json] }
    case "getAppUserID":
      { _ async throws(RevenueCatError) in ["appUserID": .string(self.changeCustomers { $0.current })] }
    case "isAnonymous":
      { _ async throws(RevenueCatError) in ["isAnonymous": .bool(self.changeCustomers { $0.isAnonymous })] }
    case "logIn": logIn
    case "logOut": logOut
    case "getStorefront":
      { _ async throws(RevenueCatError) in
        guard let country = self.session.store?.storefront else {
          throw RevenueCatError("Nobody is signed in at the store.")
        }
        return ["countryCode": .string(country.alpha3), "identifier": .string(country.alpha3)]
      }
    case "canMakePayments": { _ async throws(RevenueCatError) in ["canMakePayments": .bool(self.session.store != nil)] }
    case "getVirtualCurrencies": { _ async throws(RevenueCatError) in ["virtualCurrencies": ["all": [:]]] }
    case "getCachedVirtualCurrencies": { _ async throws(RevenueCatError) in ["cachedVirtualCurrencies": .null] }
    case "redeemWebPurchase": { _ async throws(RevenueCatError) in ["result": "INVALID_TOKEN"] }
    case "beginRefundRequestForActiveEntitlement", "beginRefundRequestForEntitlement", "beginRefundRequestForProduct":
      // The sheet for refunds is not played: the person dismisses it.
      { _ async throws(RevenueCatError) in ["refundRequestStatus": 1] }
    default: nil
    }
  }

  // MARK: Products

  private func store() throws(RevenueCatError) -> any InAppStore {
    guard let store = session.store else { throw RevenueCatError(.noStore) }
    return store
  }

  private func loaded(_ identifiers: [String]?) async throws(RevenueCatError) -> [InAppProduct] {
    let store = try store()
    do throws(InAppError) {
      return try await store.products(identifiers)
    } catch {
      throw RevenueCatError(error)
    }
  }

  private func offerings() async throws(RevenueCatError) -> RevenueCatOfferings {
    let identifiers = options.offerings.map { Array(Set($0.flatMap { $0.packages.map(\.product) })).sorted() }
    return try RevenueCatOfferings(options, products: try await loaded(identifiers))
  }

  private func identifiers(_ call: Call) throws(RevenueCatError) -> [String] {
    let elements = call["productIdentifiers"]?.arrayValue ?? []
    let texts = elements.compactMap(\.stringValue)
    guard !elements.isEmpty, texts.count == elements.count, texts.count <= 1000 else {
      throw .missing("productIdentifiers")
    }
    return texts
  }

  private func products(_ call: Call) async throws(RevenueCatError) -> JSONValue {
    ["products": .array(try await loaded(try identifiers(call)).map(\.revenueCat))]
  }

  private func product(_ id: String) async throws(RevenueCatError) -> InAppProduct {
    guard let product = try await loaded([id]).first else {
      throw .notAvailable("There is no product \(id.prefix(100)).")
    }
    return product
  }

  private func productID(_ call: Call, _ option: String) throws(RevenueCatError) -> String {
    guard let id = call[option]?["identifier"]?.stringValue else { throw .missing("\(option).identifier") }
    return id
  }

  private func packagedProduct(_ call: Call) async throws(RevenueCatError) -> String {
    guard let package = call["aPackage"], let id = package["identifier"]?.stringValue else {
      throw .missing("aPackage.identifier")
    }
    guard let offering = package["presentedOfferingContext"]?["offeringIdentifier"]?.stringValue else {
      throw .missing("aPackage.presentedOfferingContext")
    }
    guard let found = try await offerings().package(id, of: offering) else {
      throw .notAvailable("The offering \(offering.prefix(100)) has no package \(id.prefix(100)).")
    }
    return found.product.id
  }

  // MARK: Purchases

  private func purchase(
    _ product: String, _ call: Call, offer: String? = nil
  ) async throws(RevenueCatError) -> JSONValue {
    let store = try store()
    let outcome: InAppPurchase.Outcome
    do throws(InAppError) {
      outcome = try await store.purchase(InAppPurchase(productID: product, offerID: offer), for: call.page.hostID)
    } catch {
      throw RevenueCatError(error)
    }
    guard case .purchased(let transaction) = outcome else { throw .pending }
    deliver(transaction)
    tellListeners()
    var bought = transaction.revenueCatTransaction.objectValue ?? [:]
    for name in ["purchaseToken", "originalJson", "signature"] { bought[name] = .null }
    return [
      "customerInfo": information.json, "productIdentifier": .string(transaction.productID),
      "transaction": .object(bought),
    ]
  }

  private func restore(_ call: Call) async throws(RevenueCatError) -> JSONValue {
    let store = try store()
    do throws(InAppError) {
      _ = try await store.restore(for: call.page.hostID)
    } catch {
      throw RevenueCatError(error)
    }
    deliverAll()
    tellListeners()
    return information.json
  }

  private func record(_ call: Call) async throws(RevenueCatError) -> JSONValue {
    let product = try call.text("productID")
    guard let transaction = try store().transactions.last(where: { $0.productID == product }) else {
      throw RevenueCatError("There is no transaction of \(product.prefix(100)).")
    }
    deliver(transaction)
    tellListeners()
    return ["transaction": transaction.revenueCatTransaction]
  }

  // MARK: Offers

  private func eligibility(_ call: Call) async throws(RevenueCatError) -> JSONValue {
    let identifiers = try identifiers(call)
    let known = Dictionary(
      try await loaded(identifiers).map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    let results = identifiers.map { id -> (String, JSONValue) in
      let subscription = known[id]?.subscription
      let (status, description): (Double, String) =
        if known[id] == nil {
          (0, "There is no such product.")
        } else if subscription?.introductoryOffer == nil {
          (3, "The product has no introductory offer.")
        } else if subscription?.isEligibleForIntroductoryOffer == true {
          (2, "The account can have the introductory offer.")
        } else {
          (1, "The account cannot have the introductory offer.")
        }
      return (id, ["status": .number(status), "description": .string(description)])
    }
    return .object(Dictionary(results, uniquingKeysWith: { first, _ in first }))
  }

  private func promotionalOffer(_ call: Call) async throws(RevenueCatError) -> JSONValue {
    let product = try await product(try productID(call, "product"))
    let id = try productID(call, "discount")
    guard let subscription = product.subscription, subscription.promotionalOffers.contains(where: { $0.id == id })
    else {
      throw .notAvailable("\(product.id) has no promotional offer \(id.prefix(100)).")
    }
    guard subscription.hasBeenSubscribed else {
      throw RevenueCatError(code: 18, "Promotional offers are for present and former subscribers.")
    }
    // The time is the name of the offer, so no two have the same.
    var time = session.now.millisecondsSinceEpoch.rounded(.down)
    while promotionalOffers[time] != nil { time += 1 }
    if promotionalOffers.count >= 1000 { promotionalOffers = [:] }
    promotionalOffers[time] = id
    return [
      "identifier": .string(id), "keyIdentifier": "FOOTBRIDGE", "nonce": .string(session.randomUUID()),
      "signature": .string(session.randomHexadecimal()), "timestamp": .number(time),
    ]
  }

  private func signedOffer(_ call: Call) throws(RevenueCatError) -> String {
    guard let time = call["discount"]?["timestamp"]?.numberValue else { throw .missing("discount.timestamp") }
    guard let offer = promotionalOffers[time] else { throw .notAvailable("There is no such promotional offer.") }
    return offer
  }

  private func winBackOffer(_ call: Call) throws(RevenueCatError) -> String { try productID(call, "winBackOffer") }

  private func winBackOffers(of id: String) async throws(RevenueCatError) -> JSONValue {
    let subscription = try await product(id).subscription
    let isEligible = subscription.map { $0.hasBeenSubscribed && !$0.isSubscribed } ?? false
    return ["eligibleWinBackOffers": .array(isEligible ? subscription?.winBackOffers.map(\.revenueCat) ?? [] : [])]
  }

  // MARK: Users

  private func logIn(_ call: Call) async throws(RevenueCatError) -> JSONValue {
    let id = try call.text("appUserID")
    try check(id)
    let isNew = changeCustomers { $0.logIn(id, at: session.now.millisecondsSinceEpoch) }
    tellListeners()
    return ["customerInfo": information.json, "created": .bool(isNew)]
  }

  private func logOut(_ call: Call) async throws(RevenueCatError) -> JSONValue {
    if changeCustomers({ $0.isAnonymous }) { throw .anonymous }
    let id = session.randomHexadecimal()
    changeCustomers { $0.logOut(anonymous: id, at: session.now.millisecondsSinceEpoch) }
    tellListeners()
    return ["customerInfo": information.json]
  }
}
