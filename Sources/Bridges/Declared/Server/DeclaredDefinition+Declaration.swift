import BridgeCore
package import BridgeServer
package import Sessions

extension DeclaredDefinition {
  /// The maximum number of bridges.
  private static let mostBridges = 64

  /// Checks that a name can be that of a declared bridge.
  package static func checkName(_ name: String, _ section: InputNode) throws(OptionError) {
    guard BridgeTable.isName(name) else {
      throw section.expected("given another name: letters and digits, and not footbridge")
    }
  }

  /// Reads the section that declares a bridge. `others` are the other bridges.
  ///
  /// - Throws: `OptionError` with the place of what is wrong.
  package init(
    _ name: String, _ section: InputNode, besides others: [any BridgeDefinition]
  ) throws(OptionError) {
    if let other = others.first(where: { $0.sheetKinds.contains(name) }) {
      throw section.expected("given another name: \(other.name) has sheets of the kind \(name)")
    }
    guard others.count < Self.mostBridges else { throw section.expected("left out: there are too many bridges") }
    self.init(name: name)
    try read(section)
  }
}

extension BridgeTable {
  /// Checks that no page gets the same message handler, object or scheme from two bridges.
  ///
  /// - Throws: `OptionError` that names both.
  package func checkChannels() throws(OptionError) {
    var taken: [Taken] = []
    for bridge in definitions where !(bridge is DeclaredDefinition) {
      taken += bridge.shim.channels.map { Taken(place: "channels.\($0.name)", bridge: bridge.name, pages: [.all]) }
    }
    for case let bridge as DeclaredDefinition in definitions {
      let (name, pages) = (bridge.name, bridge.configuration.pages)
      let own =
        bridge.configuration.channels.map { Taken(place: "channels.\($0.name)", bridge: name, pages: pages) }
        + bridge.configuration.objects.map {
          Taken(place: "objects.\($0.name)", kind: "an object", bridge: name, pages: pages)
        }
        + bridge.configuration.resources.keys.sorted().map {
          // The server answers for all pages of a session.
          Taken(place: "resources.\($0)", kind: $0.hasPrefix("/") ? "a path" : "a scheme", bridge: name, pages: [.all])
        }
      for one in own {
        guard let other = taken.first(where: one.meets) else { continue }
        throw OptionError(
          "bridges.\(name).\(one.place) is \(one.kind) of \(other.bridge), too. "
            + "A page can have one of them: name different pages, or switch one bridge off.")
      }
      taken += own
    }
  }

  /// What only one bridge can put into a page.
  private struct Taken {
    /// Its place in the section of the bridge.
    let place: String
    /// What it is, for an error.
    var kind = "a message handler"
    let bridge: String
    let pages: [PagePattern]

    func meets(_ other: Taken) -> Bool {
      place == other.place && other.pages.contains { page in pages.contains(where: page.mayMeet) }
    }
  }
}

extension OwnBridge {
  /// Reads the section that declares a bridge for one session. It may replace a bridge that the file declares.
  ///
  /// - Parameter table: The other bridges of the session.
  /// - Throws: `OptionError` with the place of what is wrong.
  package init(_ name: String, _ section: InputNode, in table: BridgeTable, on server: ServerContext)
    throws(OptionError)
  {
    try DeclaredDefinition.checkName(name, section)
    let all = table.definitions + table.definitionsOff
    if let other = all.first(where: { $0.name == name }), !(other is DeclaredDefinition) {
      throw section.expected("given another name: \(name) is a bridge of the server")
    }
    let definition = try DeclaredDefinition(name, section, besides: all.filter { $0.name != name })
    guard definition.isEnabled else { throw section.expected("a bridge that is switched on") }
    try table.with(definition).checkChannels()
    let (handlers, configuration) = (try definition.startHandlers(server), definition.configuration)
    self.init(definition, DeclaredSession.maker(configuration, handlers), stop: { handlers.stop() })
  }

  /// Reads the stored sections of a session, sorted by name.
  package static func read(_ stored: StoredBridges, in table: BridgeTable, on server: ServerContext) -> ReadBridges {
    // What they replace must not get in the way of another one of them.
    let rest = (table.definitions + table.definitionsOff).filter { definition in
      !(definition is DeclaredDefinition && stored.sections[definition.name] != nil)
    }
    var others = BridgeTable(rest, version: table.hostVersion)
    var read: ReadBridges = ([], [])
    for (name, section) in stored.sections.sorted(by: { $0.key < $1.key }) {
      do throws(OptionError) {
        let own = try OwnBridge(name, InputNode(section, source: "the bridge \(name)"), in: others, on: server)
        others = others.with(own.definition)
        read.bridges.append(own)
      } catch {
        read.problems.append(error)
      }
    }
    return read
  }
}
