/// A named way for things to go: what a session begins with so that they do.
public struct Scenario: Sendable {
  /// The rules, first come first served.
  public var rules: [OutcomeRule] = []
  /// The id of the account that is signed in; nil leaves that as it is.
  public var account: String?
  /// The changes to the session's settings.
  var settings = OnsideSettingsSection()
}
