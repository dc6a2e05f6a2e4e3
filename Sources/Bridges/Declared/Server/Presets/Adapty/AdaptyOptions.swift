import BridgeCore
import BridgeServer
import Sessions

/// What Adapty's dashboard says about an app: the paywall of each placement, and the products that give an access level.
struct AdaptyOptions: Sendable {
  /// A product of a paywall.
  struct Product: Sendable {
    var product: String
    /// The promotional offer of the product in this paywall.
    var promotionalOffer: String?
    /// The win-back offer of the product in this paywall.
    var winBackOffer: String?
  }

  /// A paywall.
  struct Paywall: Sendable {
    var name: String
    /// What the app reads from the paywall; nil for nothing.
    var remoteConfig: JSONValue?
    /// The products; nil for all of the catalogue.
    var products: [Product]?
  }

  /// The paywalls by placement; nil for the same one in each placement, with all products.
  var placements: [String: Paywall]?
  /// The products that give an access level, by its id; nil for ``usualLevel`` from all products that are not used up.
  var accessLevels: [String: [String]]?

  /// The access level that each app begins with.
  static let usualLevel = "premium"

  /// The names of the members that it reads.
  static let keys: Set<String> = ["placements", "accessLevels"]

  init() {}

  /// Reads the members of `options`.
  init(_ members: [String: InputNode]) throws(OptionError) {
    if let node = members["placements"] {
      var placements: [String: Paywall] = [:]
      for (name, paywall) in try node.members() { placements[name] = try Self.paywall(name, paywall) }
      self.placements = placements
    }
    if let node = members["accessLevels"] {
      var levels: [String: [String]] = [:]
      for (name, products) in try node.members() {
        levels[name] = try products.isList ? products.texts() : [products.text()]
      }
      accessLevels = levels
    }
  }

  /// The paywall of a placement; nil if there is no such placement.
  func paywall(of placement: String) -> Paywall? {
    guard let placements else { return Paywall(name: placement) }
    return placements[placement]
  }

  /// The access level that a product gives.
  func accessLevel(of product: String) -> String {
    accessLevels?.filter { $0.value.contains(product) }.keys.min() ?? Self.usualLevel
  }

  private static func paywall(_ name: String, _ node: InputNode) throws(OptionError) -> Paywall {
    guard !node.isList else { return Paywall(name: name, products: try products(node)) }
    let members = try node.section(["name", "remoteConfig", "products"])
    return Paywall(
      name: try members["name"]?.text() ?? name, remoteConfig: try members["remoteConfig"]?.json(),
      products: try members["products"].map { node throws(OptionError) in try products(node) })
  }

  private static func products(_ node: InputNode) throws(OptionError) -> [Product] {
    try node.elements().map { node throws(OptionError) in
      guard node.isMapping else { return Product(product: try node.text()) }
      let members = try node.section(["product", "promotionalOffer", "winBackOffer"])
      guard let product = members["product"] else { throw node.expected("given a product") }
      return Product(
        product: try product.text(), promotionalOffer: try members["promotionalOffer"]?.text(),
        winBackOffer: try members["winBackOffer"]?.text())
    }
  }
}
