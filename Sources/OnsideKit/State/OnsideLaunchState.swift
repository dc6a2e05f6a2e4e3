/// What pages have told one launch. It ends with the launch, unless a page outlives that: a server can be killed under an open page, which
/// an app cannot.
public struct OnsideLaunchState: Sendable, Hashable, Codable {
  /// The theme of native sheets.
  var appearance = OnsideUIThemeMode.auto
  /// Whether the login sheet leaves out federated methods.
  var shouldForceLocalLoginMethods = false
  /// The country that a page assumes while nobody is signed in; empty is none.
  var countryCodeAssumption = ""
  /// The products that pages have loaded, by identifier: what `purchase` looks them up in.
  var loadedProducts: [String: OnsideProduct] = [:]
  /// The accounts whose restore was asked for and has not ended, oldest first.
  var restores: [String] = []
  /// The transactions whose removal was due when the launch ended.
  var removals: [OnsidePaymentTransaction] = []

  /// The state of a launch that has been told nothing.
  public init() {}

  /// Takes over what an earlier launch was told. What this one was told itself counts before it.
  mutating func takeOver(_ former: OnsideLaunchState) {
    let usual = OnsideLaunchState()
    if appearance == usual.appearance { appearance = former.appearance }
    if !shouldForceLocalLoginMethods { shouldForceLocalLoginMethods = former.shouldForceLocalLoginMethods }
    if countryCodeAssumption.isEmpty { countryCodeAssumption = former.countryCodeAssumption }
    loadedProducts.merge(former.loadedProducts) { own, _ in own }
    restores = former.restores + restores
    removals = former.removals + removals
  }
}
