public import BridgeRuntime

/// What an app tells OnsideKit (products guide, "Fetching Products Before Login").
@BridgeActor
public protocol OnsideDelegate: AnyObject {
  /// The country to assume while nobody is signed in, ISO 3166-1 alpha-2; nil leaves it to the system region.
  func onsideDefaultCountryCodeAssumption() -> String?
}
