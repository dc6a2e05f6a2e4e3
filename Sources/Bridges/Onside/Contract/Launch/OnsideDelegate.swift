public import BridgeRuntime

/// Tells OnsideKit what an app wants (vendor's page "Customizing SDK Behavior"). Every method has a default.
@BridgeActor
public protocol OnsideDelegate: AnyObject {
  /// The window scene that shows a screen. Never called here: sheets open in the page.
  func onside(hostWindowSceneForScreen screen: OnsideScreen) -> UIWindowScene?

  /// The theme of one screen. Nil leaves it to the theme of all screens.
  func onside(uiThemeOverrideForScreen screen: OnsideScreen) -> OnsideUIThemeMode?

  /// The country to assume while nobody is signed in, ISO 3166-1 alpha-2. Nil leaves it to the system region. (Products guide, "Fetching
  /// Products Before Login".)
  func onsideDefaultCountryCodeAssumption() -> String?

  /// Whether the login sheet shows only local methods, and no federated ones.
  func onsideShouldForceLocalLoginMethods() -> Bool
}

extension OnsideDelegate {
  /// Nil.
  public func onside(hostWindowSceneForScreen screen: OnsideScreen) -> UIWindowScene? { nil }

  /// Nil.
  public func onside(uiThemeOverrideForScreen screen: OnsideScreen) -> OnsideUIThemeMode? { nil }

  /// Nil.
  public func onsideDefaultCountryCodeAssumption() -> String? { nil }

  /// False.
  public func onsideShouldForceLocalLoginMethods() -> Bool { false }
}
