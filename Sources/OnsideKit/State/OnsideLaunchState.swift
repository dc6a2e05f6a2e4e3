/// What pages have told one launch. It ends with the launch. Exception: if the server is killed, its pages outlive the launch.
public struct OnsideLaunchState: Sendable, Hashable, Codable {
  /// The theme of native sheets.
  var appearance = OnsideUIThemeMode.auto
  /// Whether the login sheet leaves out federated methods.
  var shouldForceLocalLoginMethods = false
  /// The country that a page assumes while nobody is signed in; empty for none.
  var countryCodeAssumption = ""
  /// The products that pages have loaded, by identifier. `purchase` looks them up here.
  var loadedProducts: [String: OnsideProduct] = [:]
  /// The accounts with a restore in progress, oldest first.
  var restores: [String] = []
  /// The transactions that were leaving the queue when the launch ended.
  var removals: [OnsidePaymentTransaction] = []

  /// The state of a new launch.
  public init() {}

  /// Takes over the state of an earlier launch. Values of this launch take precedence.
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
