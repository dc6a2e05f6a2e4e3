/// Whose an action is: which registered bridge's, the server's own, or nobody's but the page's.
package struct ActionOwner: Sendable, Hashable {
  /// What the messages hold.
  let traits: BridgeMessageTraits
  /// The bridge's place among those that are registered; ``none`` for no bridge's.
  let index: UInt8

  /// The place of what is no bridge's.
  static let none = UInt8.max
  /// The server's own.
  static let footbridge = ActionOwner(traits: [.madeByShim], index: none)
  /// The page's, where no bridge takes such messages.
  static let page = ActionOwner(traits: [], index: none)

  /// Whether the shim makes the messages.
  package var isMadeByShim: Bool { traits.contains(.madeByShim) }
}
