import BridgeCore

/// The bridges of a server that are switched on, each at the place that ``ActionOwner/index`` names.
package final class BridgeTable: Sendable {
  /// The bridges, in the order in which they take messages.
  package let definitions: [any BridgeDefinition]
  /// Whose actions are.
  package let owners: ActionOwners

  /// The version that hosts tell pages.
  let hostVersion: String
  /// The names of the bridges that are switched off and have actions of their own.
  private let namesOff: [String]
  /// The bridges that are switched off.
  package let definitionsOff: [any BridgeDefinition]
  /// The bridge whose messages the page makes; nil when there is none.
  private let pages: (any BridgeDefinition)?

  /// Creates the table of these bridges. `version` is what hosts tell pages when no bridge has a version of its own.
  package init(_ bridges: [any BridgeDefinition], version: String) {
    definitions = bridges.filter(\.isEnabled)
    definitionsOff = bridges.filter { !$0.isEnabled }
    namesOff = definitionsOff.filter { $0.messages.contains(.madeByShim) }.map(\.name)
    var prefixes: [(String, ActionOwner)] = []
    var others = ActionOwner.page
    for (index, bridge) in definitions.enumerated() {
      var traits = bridge.messages
      if !bridge.secretMembers.isEmpty { traits.insert(.holdsSecrets) }
      let owner = ActionOwner(traits: traits, index: UInt8(clamping: index))
      if owner.isMadeByShim { prefixes.append(("\(bridge.name).", owner)) } else { others = owner }
    }
    prefixes.append(("footbridge.", .footbridge))
    owners = ActionOwners(prefixes, others: others)
    hostVersion = definitions.lazy.compactMap(\.hostVersion).first ?? version
    pages = definitions.first { !$0.messages.contains(.madeByShim) }
  }

  /// The bridge that an owner is.
  subscript(owner: ActionOwner) -> (any BridgeDefinition)? {
    owner.index < definitions.count ? definitions[Int(owner.index)] : nil
  }

  /// Whether what is said under an action tells of the durable state of the session.
  func tellsOfState(_ action: String) -> Bool { owners.owner(of: action).traits.contains(.tellsOfState) }

  /// The bridges whose messages the shim makes.
  package var shimBridges: [any BridgeDefinition] { definitions.filter { $0.messages.contains(.madeByShim) } }

  /// The names of members that are left out of an owner's messages.
  func secretMembers(of owner: ActionOwner) -> Set<String> { self[owner]?.secretMembers ?? [] }

  /// What the log calls the channel on which pages send messages of their own.
  var pagesChannel: String { pages.map { $0.shim($0.shimVariant, .ios).channels.first?.name ?? $0.name } ?? "page" }

  // MARK: Rules

  /// The kinds of native screens.
  var sheetKinds: [String] { definitions.flatMap(\.sheetKinds).sorted() }

  /// The bridge that shows sheets of a kind; nil when there is none.
  package func bridge(ofSheet kind: String) -> (any BridgeDefinition)? {
    definitions.first { $0.sheetKinds.contains(kind) }
  }

  /// What a rule is about whose `on` is `name`, and the bridge that it is of; nil when there is no such action.
  package func ruleAction(_ name: String) -> (action: RuleAction, bridge: any BridgeDefinition)? {
    if name.hasPrefix(RuleAction.sheetPrefix) {
      let kind = String(name.dropFirst(RuleAction.sheetPrefix.count))
      guard let bridge = bridge(ofSheet: kind) else { return nil }
      return (RuleAction(name, isCall: false), bridge)
    }
    guard !name.isEmpty, bridgeOff(of: name) == nil, let bridge = self[owners.owner(of: name)],
      let action = bridge.ruleAction(name)
    else {
      return nil
    }
    return (action, bridge)
  }

  /// The name of the bridge that is switched off and whose action this would be; nil for another action.
  package func bridgeOff(of action: String) -> String? { namesOff.first { action.hasPrefix("\($0).") } }

  /// What rules can be about, in words: "must be …".
  package var ruleActions: String {
    let sheets = "\(RuleAction.sheetPrefix) and one of \(sheetKinds.joined(separator: ", "))"
    let actions =
      shimBridges.map(\.ruleActions) + (sheetKinds.isEmpty ? [] : [sheets])
    guard let last = pages?.ruleActions else { return actions.joined(separator: ", or ") }
    return (actions + ["or " + last]).joined(separator: ", ")
  }

  /// A request of a page as rules see it; nil for one of the server's own.
  func ruledCall(_ request: BridgeMessage) -> RuledCall? {
    let owner = owners.owner(of: request)
    if owner == .footbridge { return nil }
    let payload = request.payload
    return self[owner]?.ruledCall(payload) ?? RuledCall(payload)
  }
}
