/// The rule about addresses with a scheme of an app that no bridge answers. The script of the page finds them.
package enum SchemeLint {
  /// The rule.
  package static let rule = LintRule(
    "L28", .error, "A resource of the app that nothing answers",
    contract: "A web view loads an address with a scheme of its own only if the app has registered the scheme.",
    section: "WKURLSchemeHandler; WebViewClient.shouldInterceptRequest",
    advice: "Say in resources of the app's bridge what answers the scheme; see docs/wires.md.")

  /// The finding about an observation; nil if it is about something else.
  static func finding(_ observation: LintObservation, page: String) -> LintFinding? {
    guard observation.kind == "scheme", let scheme = observation["scheme"], let loader = observation["loader"] else {
      return nil
    }
    return LintFinding(rule.id, page: page, "No bridge of this page has resources for \(scheme): (\(loader)).")
  }
}
