import BridgeCore
package import BridgeRuntime
package import Delivery

/// The bridges of a server that are switched on, by ``ActionOwner/index``.
package final class BridgeTable: Sendable {
  /// Whether the actions of a bridge can begin with a name.
  package static func isName(_ name: String) -> Bool {
    func isLetter(_ byte: UInt8) -> Bool { 0x61...0x7A ~= byte | 0x20 }
    let isWellFormed = name.utf8.allSatisfy { isLetter($0) || 0x30...0x39 ~= $0 }
    return isWellFormed && name.utf8.first.map(isLetter) == true && name != "footbridge"
  }

  /// The bridges, in the order in which they get messages.
  package let definitions: [any BridgeDefinition]
  /// What rules can say about each of them.
  let vocabularies: [RuleVocabulary]
  /// The parts of the shim, one for each of them.
  package let shimParts: [ShimPart]
  /// Whether the script of one of them can take navigations as messages.
  package let takesNavigations: Bool
  /// The default variants of the shim, one for each of them.
  package let usualVariants: [String]
  /// The names of members that the journal removes from the messages of each of them.
  private let secretMembers: [Set<String>]
  /// Finds the owners of actions.
  package let owners: ActionOwners

  /// The rules of the linter that belong to no bridge.
  private static let pageRules = [PhoneLint.rule, SchemeLint.rule]

  /// The rules of the linter about all pages, and of all bridges that are switched on, by their ids.
  package let lintRules: [String: LintRule]
  /// The ids of all rules of the linter, also those of bridges that are switched off.
  package var knownLintRules: [String] {
    Set(((definitions + definitionsOff).flatMap(\.lintRules) + Self.pageRules).map(\.id)).sorted()
  }
  /// The names of members that end like those of secrets, but are not secret.
  let publicMembers: Set<String>
  /// The version that hosts report to pages.
  package let hostVersion: String
  /// The names of the bridges that are switched off and have their own actions.
  let namesOff: [String]
  /// The bridges that are switched off.
  package let definitionsOff: [any BridgeDefinition]
  /// The bridge whose messages pages create; nil if there is none.
  let pages: (any BridgeDefinition)?

  /// Creates the table of these bridges. Hosts report `version` if no bridge has its own version.
  package init(_ bridges: [any BridgeDefinition], version: String) {
    definitions = bridges.filter(\.isEnabled)
    vocabularies = definitions.map(\.rules)
    shimParts = definitions.map(\.shim)
    takesNavigations = shimParts.contains(where: \.takesNavigations)
    usualVariants = shimParts.map(\.usualVariant)
    secretMembers = definitions.map(\.marks.secretMembers)
    definitionsOff = bridges.filter { !$0.isEnabled }
    lintRules = Dictionary(
      (definitions.flatMap(\.lintRules) + Self.pageRules).map { ($0.id, $0) },
      uniquingKeysWith: { first, _ in first })
    publicMembers = definitions.reduce(into: []) { $0.formUnion($1.marks.publicMembers) }
    namesOff = definitionsOff.filter { $0.messages.contains(.madeByShim) }.map(\.name)
    var prefixes: [(String, ActionOwner)] = []
    var others = ActionOwner.page
    for (index, bridge) in definitions.enumerated() {
      var traits = bridge.messages
      if !secretMembers[index].isEmpty { traits.insert(.holdsSecrets) }
      let owner = ActionOwner(traits: traits, index: UInt8(clamping: index))
      if owner.isMadeByShim { prefixes.append(("\(bridge.name).", owner)) } else { others = owner }
    }
    prefixes.append(("footbridge.", .footbridge))
    owners = ActionOwners(prefixes, others: others)
    hostVersion = shimParts.lazy.compactMap(\.hostVersion).first ?? version
    let additions = shimParts.compactMap(\.userAgent)
    userAgent = additions.isEmpty ? nil : additions.joined(separator: " ")
    pages = definitions.first { !$0.messages.contains(.madeByShim) }
  }

  /// Returns the table with this bridge added, or in place of the one with its name. All others keep their indexes.
  package func with(_ bridge: any BridgeDefinition) -> BridgeTable {
    var all = definitions
    if let index = all.firstIndex(where: { $0.name == bridge.name }) { all[index] = bridge } else { all.append(bridge) }
    return BridgeTable(all + definitionsOff.filter { $0.name != bridge.name }, version: hostVersion)
  }

  /// The bridge with this owner.
  subscript(owner: ActionOwner) -> (any BridgeDefinition)? {
    owner.index < definitions.count ? definitions[Int(owner.index)] : nil
  }

  /// Whether messages with this action report the session's durable state.
  func tellsOfState(_ action: String) -> Bool { owners.owner(of: action).traits.contains(.tellsOfState) }

  /// The names of the bridges whose messages report the session's durable state, and have no secrets.
  package var clearBridges: Set<String> {
    Set(definitions.filter { $0.messages.isSuperset(of: .tellsOfState) && $0.marks.secretMembers.isEmpty }.map(\.name))
  }

  /// The text that all bridges together add to the browser's user agent; nil for none.
  package let userAgent: String?

  /// The bridges whose messages the shim creates.
  package var shimBridges: [any BridgeDefinition] { definitions.filter { $0.messages.contains(.madeByShim) } }

  /// The members that the journal masks in an owner's messages; for nil, in entries of all kinds.
  func marks(of owner: ActionOwner?) -> JournalMarks {
    guard let owner, owner.index < secretMembers.count else { return JournalMarks(publicMembers: publicMembers) }
    return JournalMarks(secretMembers: secretMembers[Int(owner.index)], publicMembers: publicMembers)
  }

  /// The name in the log of the channel for messages that pages create.
  var pagesChannel: String { pages.map { $0.shim.channels.first?.name ?? $0.name } ?? "page" }
}

/// The bridges of a server that has started.
@BridgeActor
package final class StartedBridges {
  /// The bridges that are switched on.
  package nonisolated let table: BridgeTable
  /// The part of the server that they use.
  package let server: ServerContext
  private let makers: [BridgeSessionMaker]

  /// Starts the bridges of a table.
  ///
  /// - Throws: The error of a bridge whose configuration is not possible.
  package init(_ table: BridgeTable, _ server: ServerContext) throws {
    self.table = table
    self.server = server
    makers = try table.definitions.map { try $0.start(server) }
  }

  /// Creates the bridges' parts of a session.
  func makeSession(_ context: (_ bridge: String) -> SessionContext) -> [any SessionBridge] {
    zip(table.definitions, makers).map { definition, make in make(context(definition.name)) }
  }
}
