import BridgeCore
import BridgeServer
import Sessions

/// What Qonversion's dashboard says about an app: its products, offerings, entitlements and remote configurations.
struct QonversionOptions: Sendable {
  /// The products of the store by their ids in the dashboard; nil for those of the catalogue, each under its own id.
  var products: [String: String]?
  /// The offerings, the main one first, with ids of products of the dashboard; nil for one with all products.
  var offerings: [(id: String, products: [String])]?
  /// The products of the dashboard that give an entitlement, by its id.
  var entitlements: [String: [String]] = [:]
  /// The remote configurations by their context keys; the empty key is that of none.
  var remoteConfigs: [String: [String: JSONValue]] = [:]

  /// The names of the members that it reads.
  static let keys: Set<String> = ["products", "offerings", "entitlements", "remoteConfig", "remoteConfigs"]

  init() {}

  /// Reads the members of `options`.
  init(_ members: [String: InputNode]) throws(OptionError) {
    if let node = members["products"] {
      var products: [String: String] = [:]
      for (id, product) in try node.members() { products[id] = try product.text() }
      self.products = products
    }
    if let node = members["offerings"] {
      offerings = try node.members().map { id, products throws(OptionError) in
        (id, try products.isList ? products.texts() : [products.text()])
      }
    }
    for (id, products) in try members["entitlements"]?.members() ?? [] {
      entitlements[id] = try products.isList ? products.texts() : [products.text()]
    }
    if let node = members["remoteConfig"] { remoteConfigs[""] = try node.jsonMembers() }
    for (key, node) in try members["remoteConfigs"]?.members() ?? [] { remoteConfigs[key] = try node.jsonMembers() }
  }

  /// The product of the store that a product of the dashboard stands for; nil if there is none.
  func product(_ id: String) -> String? { products.map { $0[id] } ?? id }

  /// The id in the dashboard of a product of the store.
  func id(of product: String) -> String { products?.filter { $0.value == product }.keys.min() ?? product }
}
