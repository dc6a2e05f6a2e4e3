public import BridgeRuntime

/// Tells OnsideKit what an app wants (products guide, "Fetching Products Before Login").
@BridgeActor
public protocol OnsideDelegate: AnyObject {
  /// The country to assume while nobody is signed in, ISO 3166-1 alpha-2. Nil leaves it to the system region.
  func onsideDefaultCountryCodeAssumption() -> String?

  /// Whether the login sheet shows only local methods, and no federated ones.
  func onsideShouldForceLocalLoginMethods() -> Bool
}

extension OnsideDelegate {
  /// Nil.
  public func onsideDefaultCountryCodeAssumption() -> String? { nil }

  /// False.
  public func onsideShouldForceLocalLoginMethods() -> Bool { false }
}
