/// What a products request found.
public struct OnsideProductsResponse: Sendable, Hashable {
  /// The products that are sold in the region, in the catalogue's order.
  public let products: [OnsideProduct]
  /// The identifiers that are not known, or not sold in the region.
  public let invalidProductIdentifiers: Set<String>
}
