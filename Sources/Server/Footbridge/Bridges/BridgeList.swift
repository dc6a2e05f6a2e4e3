import BridgeCore
import BridgeRuntime
import BridgeServer
import DeclaredServer
import GBGServer
import HTTPTypes
import OnsideServer
package import Sessions
import SiteServer
import TodayServer

/// The bridges of a server, by their names.
///
///     options.bridges.register(Doorbell())
public struct BridgeList: Sendable {
  /// The bridges, in the order in which they are asked for a message's action.
  public private(set) var all: [any BridgeDefinition] = []

  /// Registers Footbridge's own bridges. This is the only place that names them.
  public init() {
    register(OnsideDefinition())
    register(TodayDefinition())
    register(GBGDefinition())
  }

  /// Adds a bridge. It replaces one with the same name.
  public mutating func register(_ bridge: any BridgeDefinition) {
    if let index = all.firstIndex(where: { $0.name == bridge.name }) {
      all[index] = bridge
    } else {
      all.append(bridge)
    }
  }

  /// Makes the table of these bridges. A server makes one and shares it: a session with another one has bridges of its own.
  func makeTable() -> BridgeTable { BridgeTable(all, version: FootbridgeVersion.current) }

  /// Checks that each name can be the prefix of actions and the name of a section. Checks that at most one bridge lets its pages create
  /// messages.
  ///
  /// - Throws: ``FootbridgeError/bridgeNameInvalid(_:)``, ``FootbridgeError/bridgesConflict(_:)``.
  func check() throws(FootbridgeError) {
    for bridge in all {
      // A declared bridge has no section under its own name.
      let isSection = !(bridge is DeclaredDefinition) && Self.sections.contains(bridge.name)
      if isSection || !BridgeTable.isName(bridge.name) { throw .bridgeNameInvalid(bridge.name) }
    }
    let own = all.filter { $0.isEnabled && !$0.messages.contains(.madeByShim) }.map(\.name)
    if own.count > 1 { throw .bridgesConflict(own) }
  }

  /// The keys of the YAML file that do not belong to a bridge.
  private static let sections =
    ["app", "bridges", "device", "launch", "limits", "lint", "routes", "scenarios"] + ServerOption.all.compactMap(\.key)

  /// The bridge of this type; nil if there is none.
  public subscript<Definition: BridgeDefinition>(type: Definition.Type) -> Definition? {
    all.lazy.compactMap { $0 as? Definition }.first
  }

  /// Changes the bridge of a type, if there is one.
  public mutating func change<Definition: BridgeDefinition>(
    _ type: Definition.Type, _ body: (inout Definition) -> Void
  ) {
    guard let index = all.firstIndex(where: { $0 is Definition }), var bridge = all[index] as? Definition else {
      return
    }
    body(&bridge)
    all[index] = bridge
  }
}

extension BridgeList {
  /// The names of the bridges' limits.
  var limitNames: [String] { all.flatMap { ($0 as? any ConfigurableBridge)?.limitNames ?? [] } }

  /// Reads the bridges' limits from the members of the `limits` section.
  mutating func readLimits(_ members: [String: InputNode]) throws(OptionError) {
    for index in all.indices {
      guard var bridge = all[index] as? any ConfigurableBridge else { continue }
      for name in bridge.limitNames {
        if let member = members[name] { bridge.setLimit(name, to: try member.integer(in: LimitsSection.count)) }
      }
      all[index] = bridge
    }
  }

  /// Reads a bridge's section of `footbridge.yaml`.
  mutating func read(_ section: InputNode, of name: String) throws(OptionError) {
    guard let index = all.firstIndex(where: { $0.name == name }) else { return }
    guard var bridge = all[index] as? any ConfigurableBridge else {
      throw section.expected("left out: nothing can be set about \(name)")
    }
    try bridge.read(section)
    all[index] = bridge
  }
}
