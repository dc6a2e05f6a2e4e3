import BridgeCore

extension BridgeList {
  /// Adds the bridge that a section of `bridges` in `footbridge.yaml` declares.
  ///
  /// - Throws: `OptionError` with the place of what is wrong.
  mutating func declare(_ name: String, _ section: InputNode) throws(OptionError) {
    guard Self.isName(name) else {
      throw section.expected("given another name: letters and digits, and not footbridge")
    }
    guard !all.contains(where: { $0.name == name }) else {
      throw section.expected("given another name: there is a bridge \(name) already")
    }
    guard all.count < Self.mostBridges else { throw section.expected("left out: there are too many bridges") }
    var definition = DeclaredDefinition(name: name)
    try definition.read(section)
    register(definition)
  }

  private static let mostBridges = 64

  /// Checks that no page has two bridges with one message handler.
  ///
  /// - Throws: `OptionError` that names both.
  func checkChannels() throws(OptionError) {
    let bridges = all.filter(\.isEnabled)
    var taken: [(channel: String, bridge: String, pages: [PagePattern])] = []
    for bridge in bridges where !(bridge is DeclaredDefinition) {
      for channel in bridge.shim(bridge.shimVariant, .ios).channels {
        taken.append((channel.name, bridge.name, [.all]))
      }
    }
    for case let bridge as DeclaredDefinition in bridges {
      let pages = bridge.configuration.pages
      for channel in bridge.configuration.channels {
        let other = taken.first { other in
          other.channel == channel.name && other.pages.contains { page in pages.contains(where: page.mayMeet) }
        }
        if let other {
          throw OptionError(
            "bridges.\(bridge.name).channels.\(channel.name) is a message handler of \(other.bridge), too. "
              + "A page can have one of them: name different pages, or switch one bridge off.")
        }
      }
      taken += bridge.configuration.channels.map { ($0.name, bridge.name, pages) }
    }
  }
}
