package import BridgeCore

extension RuleList.Entry {
  /// The rule as it was written, with its id, how often it decides, the number of matching calls, and its scenario.
  package var json: JSONValue {
    var members = rule.source.objectValue ?? [:]
    members["id"] = .string(id)
    members["times"] = members["times"] ?? "once"
    members["matches"] = .number(Double(matchCount))
    if let scenario { members["scenario"] = .string(scenario) }
    return .object(members)
  }
}
