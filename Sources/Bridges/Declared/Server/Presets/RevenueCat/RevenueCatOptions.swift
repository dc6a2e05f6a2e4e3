import BridgeCore
import BridgeServer
import Sessions

/// What RevenueCat's dashboard says about an app: which products are in which offering, and which entitlements they give.
struct RevenueCatOptions: Sendable {
  /// A product in an offering.
  struct Package: Sendable {
    /// The identifier; nil for the one that the product's period gives.
    var id: String?
    /// The product.
    var product: String
  }

  /// A selection of products.
  struct Offering: Sendable {
    var id: String
    var description = ""
    var metadata: [String: JSONValue] = [:]
    var packages: [Package]
  }

  /// The offerings; nil for one with all products of the catalogue.
  var offerings: [Offering]?
  /// The id of the present offering; nil for the first one.
  var current: String?
  /// The ids of offerings by placement.
  var placements: [String: String] = [:]
  /// The products that give an entitlement, by its id.
  var entitlements: [String: [String]] = [:]

  /// The names of the members that it reads.
  static let keys: Set<String> = ["offerings", "current", "placements", "entitlements"]

  init() {}

  /// Reads the members of `options`.
  init(_ members: [String: InputNode]) throws(OptionError) {
    if let offerings = members["offerings"] {
      self.offerings = try offerings.members().map { name, node throws(OptionError) in try Self.offering(name, node) }
    }
    if let node = members["current"] { current = try known(node) }
    for (placement, node) in try members["placements"]?.members() ?? [] { placements[placement] = try known(node) }
    for (name, products) in try members["entitlements"]?.members() ?? [] {
      entitlements[name] = try products.isList ? products.texts() : [products.text()]
    }
  }

  private func known(_ node: InputNode) throws(OptionError) -> String {
    let id = try node.text()
    guard let offerings, offerings.contains(where: { $0.id == id }) else {
      throw node.expected("an offering: \((offerings ?? []).map(\.id).joined(separator: ", "))")
    }
    return id
  }

  private static func offering(_ name: String, _ node: InputNode) throws(OptionError) -> Offering {
    guard !node.isList else { return Offering(id: name, packages: try packages(node)) }
    let members = try node.section(["description", "metadata", "packages"])
    guard let packages = members["packages"] else { throw node.expected("given packages: a list of products") }
    return Offering(
      id: name, description: try members["description"]?.text() ?? "",
      metadata: try members["metadata"]?.jsonMembers() ?? [:], packages: try self.packages(packages))
  }

  private static func packages(_ node: InputNode) throws(OptionError) -> [Package] {
    try node.elements().map { node throws(OptionError) in
      guard node.isMapping else { return Package(product: try node.text()) }
      let members = try node.section(["id", "product"])
      guard let product = members["product"] else { throw node.expected("given a product") }
      return Package(id: try members["id"]?.text(), product: try product.text())
    }
  }
}
