import BridgeCore
import Sessions

/// Reads what a rule says about requests for the site: `{result: {location, status?}, delay?, gate?, cutSocket?}`.
struct SiteRequestNode {
  /// What becomes of the requests.
  private(set) var outcome = Outcome()

  private static let shape = JSONShape.object(["method": .text, "path": .text])
  private static let statuses = [301, 302, 303, 307, 308]
  private static let longestLocation = 8 << 10

  /// Reads the members of a rule, and its `then`.
  init(_ members: [String: InputNode], then: InputNode) throws(OptionError) {
    if let bridge = members["bridge"] { throw bridge.expected("left out: a request for the site belongs to no bridge") }
    if let pattern = members["where"] { try Self.shape.check(pattern: pattern) }
    let members = try then.section(["result", "delay", "gate", "cutSocket"])
    outcome.answer = try members["result"].map { node throws(OptionError) in try Self.answer(node) }
    if let delay = members["delay"] { (outcome.delay, outcome.longestDelay) = try delay.delayOrRange() }
    outcome.gate = try members["gate"].map { node throws(OptionError) in try RuleNode.gate(node) }
    outcome.cutsSocket = try members["cutSocket"]?.bool() ?? false
    if outcome == Outcome() { throw then.expected("at least one of: result, delay, gate, cutSocket") }
  }

  private static func answer(_ node: InputNode) throws(OptionError) -> Outcome.Answer {
    let members = try node.section(["location", "status"])
    guard let location = members["location"] else { throw node.expected("a redirect, with at least a location") }
    let address = try location.text()
    guard (1...longestLocation).contains(address.utf8.count), address.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
    else {
      throw location.expected("an address of at most \(longestLocation) characters of ASCII")
    }
    let status = try members["status"]?.integer(in: 301...308) ?? 302
    guard statuses.contains(status) else {
      throw (members["status"] ?? node).expected(oneOf: statuses.map(String.init))
    }
    return .response(
      .success, data: ["location": .string(address), "status": .number(Double(status))], error: nil)
  }
}
