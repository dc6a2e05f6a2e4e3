/// The owner of an action: a registered bridge, the server itself, or only the page.
package struct ActionOwner: Sendable, Hashable {
  /// The traits of its messages.
  let traits: BridgeMessageTraits
  /// The bridge's index among the registered bridges; ``none`` if no bridge owns it.
  let index: UInt8

  /// The index for no bridge.
  static let none = UInt8.max
  /// The server itself.
  static let footbridge = ActionOwner(traits: [.madeByShim], index: none)
  /// The page, if no bridge takes such messages.
  static let page = ActionOwner(traits: [], index: none)

  /// Whether the shim makes the messages.
  package var isMadeByShim: Bool { traits.contains(.madeByShim) }
}
