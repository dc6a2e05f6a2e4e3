package import BridgeCore

/// Finds the owner of an action by its prefix. Used for each message.
package struct ActionOwners: Sendable {
  private let rows: [(prefix: [UInt8], owner: ActionOwner)]
  /// The owner of all other actions.
  let others: ActionOwner

  /// Creates the table from the bridges' prefixes and owners. All other actions belong to `others`.
  package init(_ prefixes: [(prefix: String, owner: ActionOwner)], others: ActionOwner) {
    self.others = others
    rows = prefixes.map { (Array($0.prefix.utf8), $0.owner) }
  }

  /// Returns the owner of an action.
  package func owner(of action: String) -> ActionOwner {
    var action = action
    return action.withUTF8 { owner(of: $0) }
  }

  /// Returns the owner of a message's action.
  package func owner(of message: BridgeMessage) -> ActionOwner {
    // Use a closure: a reference to the method would allocate an object for each message.
    let found = message.withAction { owner(of: $0) }
    return found.isMadeByShim && message.pageCall != nil ? others : found
  }

  private func owner(of action: UnsafeBufferPointer<UInt8>) -> ActionOwner {
    rows.first { action.starts(with: $0.prefix) }?.owner ?? others
  }
}

/// The owner of an action: a registered bridge, the server itself, or only the page.
package struct ActionOwner: Sendable, Hashable {
  /// The traits of its messages.
  package let traits: BridgeMessageTraits
  /// The bridge's index among the registered bridges; ``none`` if no bridge owns it.
  package let index: UInt8

  /// The index for no bridge.
  package static let none = UInt8.max
  /// The server itself.
  package static let footbridge = ActionOwner(traits: [.madeByShim], index: none)
  /// The page, if no bridge takes such messages.
  package static let page = ActionOwner(traits: [], index: none)

  package init(traits: BridgeMessageTraits, index: UInt8) {
    self.traits = traits
    self.index = index
  }

  /// Whether the shim makes the messages.
  package var isMadeByShim: Bool { traits.contains(.madeByShim) }
}
