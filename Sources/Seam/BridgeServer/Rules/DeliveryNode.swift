import BridgeCore
import Sessions

/// Reads how a rule delivers a message to the page: a callback, or the answer to a message that the page has created itself.
struct DeliveryNode {
  /// The members of a rule's `then` about delivery. At most one of them is possible.
  static let words = ["drop", "double", "reorder", "unknownId", "raw"]

  /// The unusual delivery; nil for the usual one.
  private(set) var delivery: Outcome.Delivery?

  /// Reads the members of a rule's `then` about an action of `bridge`.
  init(
    _ members: [String: InputNode], of action: RuleAction, _ bridge: any BridgeDefinition
  ) throws(OptionError) {
    for word in Self.words {
      guard let node = members[word], let delivery = try Self.delivery(word, node) else { continue }
      let possible = Self.possible(of: action, bridge)
      guard possible.contains(word) else {
        throw node.expected(
          possible.isEmpty
            ? "left out: it is for callbacks, and for answers to messages that pages make themselves"
            : "left out. Possible are: \(possible.joined(separator: ", "))")
      }
      if self.delivery != nil {
        throw node.expected("left out, or the only one of: \(Self.words.joined(separator: ", "))")
      }
      self.delivery = delivery
    }
    try check(members)
  }

  private static func delivery(_ word: String, _ node: InputNode) throws(OptionError) -> Outcome.Delivery? {
    if word == "raw" { return .raw(try node.json()) }
    guard try node.bool() else { return nil }
    return switch word {
    case "drop": .dropped
    case "double": .doubled
    case "reorder": .reordered
    default: .unknownID
    }
  }

  private static func possible(of action: RuleAction, _ bridge: any BridgeDefinition) -> [String] {
    switch action.kind {
    case .callback: ["drop", "double", "reorder"]
    case .call where !bridge.messages.contains(.madeByShim): ["drop", "double", "unknownId", "raw"]
    case .call, .flow, .sheet, .backendRequest: []
    }
  }

  /// Refuses members that have no effect together with this delivery.
  private func check(_ members: [String: InputNode]) throws(OptionError) {
    let others =
      switch delivery {
      case .dropped: ["result", "status", "error", "delay", "gate", "cutSocket"]
      case .raw: ["result", "status", "error"]
      case .reordered: ["result", "delay", "gate"]
      case .doubled, .unknownID, nil: [String]()
      }
    for other in others {
      if let node = members[other] { throw node.expected("left out: it has no effect with \(word)") }
    }
  }

  private var word: String {
    switch delivery {
    case .dropped: "drop"
    case .reordered: "reorder"
    case .raw: "raw"
    case .doubled: "double"
    case .unknownID, nil: "unknownId"
    }
  }
}
