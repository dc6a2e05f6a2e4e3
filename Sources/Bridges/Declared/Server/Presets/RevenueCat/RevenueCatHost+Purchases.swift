import InAppPurchases
import BridgeCore
import BridgeRuntime
import Sessions

/// The calls that ask the store for products and purchases.
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
    case "restorePurchases":
      { call async throws(RevenueCatError) in ["customerInfo": try await self.restore(call)] }
    case "syncPurchases":
      { _ async throws(RevenueCatError) in
        self.deliverAll()
        self.tellListeners()
        return self.information.json
      }
    case "recordPurchase": record
    default: offerWork(of: method) ?? userWork(of: method)
    }
  }

  // MARK: Products

  private func store() throws(RevenueCatError) -> any InAppStore {
    guard let store = session.store else { throw RevenueCatError(.noStore) }
    return store
  }

  func loaded(_ identifiers: [String]?) async throws(RevenueCatError) -> [InAppProduct] {
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

  func identifiers(_ call: Call) throws(RevenueCatError) -> [String] {
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

  func product(_ id: String) async throws(RevenueCatError) -> InAppProduct {
    guard let product = try await loaded([id]).first else {
      throw .notAvailable("There is no product \(id.prefix(100)).")
    }
    return product
  }

  func productID(_ call: Call, _ option: String) throws(RevenueCatError) -> String {
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
}
