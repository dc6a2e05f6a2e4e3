import InAppPurchases
import BridgeCore
import Sessions

/// The offerings of an app with the products of the store (purchases-hybrid-common 18.32.1, `Offerings+HybridAdditions.swift`,
/// `Offering+HybridAdditions.swift`, `Package+HybridAdditions.swift`).
struct RevenueCatOfferings {
  /// A product in an offering.
  struct Package {
    let id: String
    let product: InAppProduct
  }

  /// An offering with the packages whose products are sold.
  struct Offering {
    let id: String
    let description: String
    let metadata: [String: JSONValue]
    let packages: [Package]
  }

  let all: [Offering]
  private let currentID: String?
  private let placements: [String: String]

  /// Puts the products of the store into the offerings. Packages and offerings without a product are left out.
  ///
  /// - Throws: ``RevenueCatError`` with the code of a wrong configuration, if nothing is left.
  init(_ options: RevenueCatOptions, products: [InAppProduct]) throws(RevenueCatError) {
    let known = Dictionary(products.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    let declared =
      options.offerings
      ?? [
        RevenueCatOptions.Offering(id: "default", packages: products.map { RevenueCatOptions.Package(product: $0.id) })
      ]
    all = declared.compactMap { offering in
      var ids: Set<String> = []
      let packages = offering.packages.compactMap { package -> Package? in
        guard let product = known[package.product] else { return nil }
        let usual = product.usualPackageID
        let id = package.id ?? (ids.contains(usual) ? product.id : usual)
        return ids.insert(id).inserted ? Package(id: id, product: product) : nil
      }
      if packages.isEmpty { return nil }
      return Offering(
        id: offering.id, description: offering.description, metadata: offering.metadata, packages: packages)
    }
    guard !all.isEmpty else {
      throw .configuration(
        "no product of the offerings is sold in this country. The products are those of the catalogue.")
    }
    currentID = options.current ?? declared.first?.id
    placements = options.placements
  }

  /// The package of an offering; nil if there is none.
  func package(_ id: String, of offering: String) -> Package? {
    all.first { $0.id == offering }?.packages.first { $0.id == id }
  }

  var json: JSONValue {
    var members: [String: JSONValue] = [
      "all": .object(Dictionary(all.map { ($0.id, $0.json()) }, uniquingKeysWith: { first, _ in first }))
    ]
    members["current"] = all.first { $0.id == currentID }?.json()
    return .object(members)
  }

  /// The offering of a placement; nil for none.
  func json(ofPlacement placement: String) -> JSONValue? {
    let id = placements[placement] ?? currentID
    return all.first { $0.id == id }?.json(placement: placement)
  }
}

extension RevenueCatOfferings.Offering {
  func json(placement: String? = nil) -> JSONValue {
    var members: [String: JSONValue] = [
      "identifier": .string(id), "serverDescription": .string(description), "metadata": .object(metadata),
      "webCheckoutUrl": .null, "availablePackages": .array(packages.map { $0.json(of: id, placement: placement) }),
    ]
    let names = [
      "$rc_lifetime": "lifetime", "$rc_annual": "annual", "$rc_six_month": "sixMonth",
      "$rc_three_month": "threeMonth", "$rc_two_month": "twoMonth", "$rc_monthly": "monthly", "$rc_weekly": "weekly",
    ]
    for package in packages {
      if let name = names[package.id] { members[name] = package.json(of: id, placement: placement) }
    }
    return .object(members)
  }
}

extension RevenueCatOfferings.Package {
  fileprivate func json(of offering: String, placement: String?) -> JSONValue {
    [
      "identifier": .string(id), "packageType": .string(type), "product": product.revenueCat,
      "offeringIdentifier": .string(offering), "webCheckoutUrl": .null,
      "presentedOfferingContext": [
        "offeringIdentifier": .string(offering), "placementIdentifier": placement.map { .string($0) } ?? .null,
        "targetingContext": .null,
      ],
    ]
  }

  private var type: String {
    let known = ["lifetime", "annual", "six_month", "three_month", "two_month", "monthly", "weekly"]
    guard id.hasPrefix("$rc_") else { return "CUSTOM" }
    let name = String(id.dropFirst(4))
    return known.contains(name) ? name.uppercased() : "UNKNOWN"
  }
}

extension InAppProduct {
  /// The identifier of a package with this product, if the offering does not say another one.
  fileprivate var usualPackageID: String {
    if let subscription { return subscription.period.packageID ?? id }
    return kind == .nonConsumable ? "$rc_lifetime" : id
  }
}
