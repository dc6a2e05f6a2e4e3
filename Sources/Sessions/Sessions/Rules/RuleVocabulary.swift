public import BridgeCore

/// What rules can say about a bridge: the actions that they can name, and what each of them has.
public struct RuleVocabulary: Sendable {
  /// The actions, as the end of an error message: "must be …".
  public var actions: String
  /// The names of all actions; empty if any name is possible. They are used to suggest corrections of misspelled names.
  public var knownActions: [String] = []
  /// The actions of the requests of pages, as the journal has them; empty, the default, if any is possible.
  public var requests: [String] = []
  /// Returns the action with a name that begins like the bridge's actions; nil if there is none. By default, any name is possible.
  public var action: @Sendable (_ name: String) -> RuleAction? = { RuleAction($0) }
  /// Returns the shape of an action's data, with which `where` is compared; nil, the default, if any is possible.
  public var shape: @Sendable (_ action: RuleAction) -> JSONShape? = { _ in nil }
  /// Returns the member of an answer's data that is the result of the call, as the journal has it; nil, the default, if the result is all
  /// of the data.
  public var resultMember: @Sendable (_ action: RuleAction) -> String? = { _ in nil }
  /// Returns the names of the errors that a rule can give a call with this action, in a session with this variant of the bridge; empty, the
  /// default, if it has none, or if any is possible.
  public var errors: @Sendable (_ action: RuleAction, _ variant: String) -> [String] = { _, _ in [] }
  /// Returns the reason why a rule is not possible in a session with this variant of the bridge, as the end of a sentence: "a rule …"; nil,
  /// the default, if it is possible.
  public var objection: @Sendable (_ rule: Rule, _ variant: String) -> String? = { _, _ in nil }
  /// Returns what is wrong with the values of a pattern for data, in whole sentences, such as a misspelled product; nil, the default, if
  /// nothing is.
  public var problemWithPattern: @Sendable (_ pattern: JSONValue) -> String? = { _ in nil }
  /// Returns a page's request as rules see it. By default: its action and data.
  public var call: @Sendable (_ request: BridgePayload) -> RuledCall = { RuledCall($0) }

  /// The vocabulary of a bridge of which rules can name any action.
  public init(actions: String) {
    self.actions = actions
  }
}
