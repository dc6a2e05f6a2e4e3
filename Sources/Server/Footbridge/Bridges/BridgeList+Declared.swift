import BridgeCore
import BridgeServer
import DeclaredServer
import Sessions

extension BridgeList {
  /// Adds the bridge that a section of `bridges` in `footbridge.yaml` declares.
  ///
  /// - Throws: `OptionError` with the place of what is wrong.
  mutating func declare(_ name: String, _ section: InputNode) throws(OptionError) {
    try DeclaredDefinition.checkName(name, section)
    guard !all.contains(where: { $0.name == name }) else {
      throw section.expected("given another name: there is a bridge \(name) already")
    }
    register(try DeclaredDefinition(name, section, besides: all))
  }

  /// Checks that no page gets the same message handler from two bridges.
  ///
  /// - Throws: `OptionError` that names both.
  func checkChannels() throws(OptionError) { try makeTable().checkChannels() }
}
