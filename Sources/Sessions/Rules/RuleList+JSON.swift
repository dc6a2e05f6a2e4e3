package import BridgeCore

extension RuleList.Entry {
  /// The rule as it was written, with its name, how often it decides, how many calls have matched, and the scenario that brought it.
  package var json: JSONValue {
    var members = rule.source.objectValue ?? [:]
    members["id"] = .string(id)
    members["times"] = members["times"] ?? "once"
    members["matches"] = .number(Double(matchCount))
    if let scenario { members["scenario"] = .string(scenario) }
    return .object(members)
  }
}
