package import BridgeCore

/// What rules can name, and whether a bridge can do what they say.
extension BridgeTable {
  /// The kinds of sheets.
  package var sheetKinds: [String] { definitions.flatMap(\.sheetKinds).sorted() }

  /// The requests that pages can make to the bridge that owns this action; nil if any is possible.
  package func requests(like action: String) -> [String]? {
    guard bridgeOff(of: action) == nil, let bridge = self[owners.owner(of: action)] else { return nil }
    let requests = bridge.rules.requests
    return requests.isEmpty ? nil : requests
  }

  /// The bridge that shows sheets of this kind; nil if there is none.
  package func bridge(ofSheet kind: String) -> (any BridgeDefinition)? {
    definitions.first { $0.sheetKinds.contains(kind) }
  }

  /// What is wrong with a pattern for the data of this action, or of the sheet of this kind; nil if nothing is.
  package func problem(withPattern pattern: JSONValue, of action: String, isSheet: Bool) -> String? {
    let bridge = isSheet ? bridge(ofSheet: action) : self[owners.owner(of: action)]
    return bridge?.rules.problemWithPattern(pattern)
  }

  /// The rule action with this name and its bridge; nil if there is none.
  package func ruleAction(_ name: String) -> (action: RuleAction, bridge: any BridgeDefinition)? {
    if name.hasPrefix(RuleAction.sheetPrefix) {
      let kind = String(name.dropFirst(RuleAction.sheetPrefix.count))
      guard let bridge = bridge(ofSheet: kind) else { return nil }
      return (RuleAction(name, .sheet), bridge)
    }
    guard !name.isEmpty, bridgeOff(of: name) == nil, let bridge = self[owners.owner(of: name)],
      let action = bridge.rules.action(name)
    else {
      return nil
    }
    return (action, bridge)
  }

  /// Returns the action of which a name is probably a misspelling, such as `onside.loadProducts` for `loadProducts` and
  /// `Onside.loadProducts`, or `footbridge.sheet.payment` for `sheet.payment`; nil if there is none.
  package func meantRuleAction(by name: String) -> String? {
    let name = name.lowercased()
    if let kind = sheetKinds.first(where: { name == "sheet.\($0.lowercased())" }) {
      return RuleAction.sheetPrefix + kind
    }
    let known = vocabularies.lazy.flatMap(\.knownActions).first { known in
      let known = known.lowercased()
      return known == name || known.hasSuffix(".\(name)")
    }
    return known ?? action(ofBridgeLike: name)
  }

  /// Returns the action with the name of the bridge that was probably meant, such as `scanner.scan` for `scaner.scan`; nil if it begins with
  /// the name of a bridge, or with none that is similar.
  package func action(ofBridgeLike action: String) -> String? {
    guard let dot = action.firstIndex(of: ".") else { return nil }
    let bridges = definitions.filter { $0.messages.contains(.madeByShim) }.map(\.name) + namesOff + ["footbridge"]
    let name = String(action[..<dot])
    if bridges.contains(name) { return nil }
    return Spelling.nearest(to: name, in: bridges).map { $0 + action[dot...] }
  }

  /// Checks whether a rule is possible with these variants of bridges, by the bridges' names. Other bridges have their default variant.
  ///
  /// - Throws: `OptionError` if the rule can never have its outcome.
  package func check(_ rule: Rule, variants: [String: String?] = [:]) throws(OptionError) {
    guard let (_, bridge) = ruleAction(rule.on) else { return }
    if let problem = rule.source["where"].flatMap(bridge.rules.problemWithPattern) {
      throw OptionError("A rule about \(rule.on) never applies. \(problem)")
    }
    let variant = (variants[bridge.name] ?? nil) ?? bridge.usualVariant
    if let objection = bridge.rules.objection(rule, variant) {
      throw OptionError("A rule about \(rule.on) \(objection).")
    }
  }

  /// The name of the bridge that owns this action and is switched off; nil if there is none.
  package func bridgeOff(of action: String) -> String? { namesOff.first { action.hasPrefix("\($0).") } }

  /// The actions that rules can name, as the end of an error message: "must be …".
  package var ruleActions: String {
    let sheets = "\(RuleAction.sheetPrefix) and one of \(sheetKinds.joined(separator: ", "))"
    let actions =
      shimBridges.map(\.rules.actions) + (sheetKinds.isEmpty ? [] : [sheets]) + [RuleAction.siteRequest]
    guard let last = pages?.rules.actions else { return actions.joined(separator: ", or ") }
    return (actions + ["or " + last]).joined(separator: ", ")
  }

  /// A page's request as rules see it; nil for one of the server's own.
  func ruledCall(_ request: BridgeMessage) -> RuledCall? {
    let owner = owners.owner(of: request)
    // A page's own request can have the same name as an action of another bridge. A rule for that action does not apply to it.
    if owner == .footbridge || (request.pageCall != nil && owners.owner(of: request.action).isMadeByShim) { return nil }
    let payload = request.payload
    return owner.index < vocabularies.count ? vocabularies[Int(owner.index)].call(payload) : RuledCall(payload)
  }
}
