import BridgeCore

/// Finds the owner of an action by its prefix. Used for each message: it compares the first eight bytes as one number, and only longer
/// prefixes as bytes.
package struct ActionOwners: Sendable {
  private struct Row {
    let start: UInt64
    let mask: UInt64
    /// The index of a long prefix that must be compared too; nil if the number is enough.
    let longPrefix: Int?
    let owner: ActionOwner
  }

  private var rows: [Row] = []
  private var longPrefixes: [[UInt8]] = []
  /// The owner of all other actions.
  private let others: ActionOwner

  /// Creates the table from the bridges' prefixes and owners. All other actions belong to `others`.
  init(_ prefixes: [(prefix: String, owner: ActionOwner)], others: ActionOwner) {
    self.others = others
    for (prefix, owner) in prefixes {
      let bytes = Array(prefix.utf8)
      if bytes.count > 8 { longPrefixes.append(bytes) }
      let count = min(bytes.count, 8)
      let mask = count == 8 ? UInt64.max : (1 << UInt64(count * 8)) - 1
      rows.append(
        Row(
          start: bytes.withUnsafeBufferPointer(Self.start), mask: mask,
          longPrefix: bytes.count > 8 ? longPrefixes.count - 1 : nil, owner: owner))
    }
  }

  /// Returns the owner of an action.
  package func owner(of action: String) -> ActionOwner {
    var action = action
    return action.withUTF8 { owner(of: $0) }
  }

  /// Returns the owner of a message's action.
  func owner(of message: BridgeMessage) -> ActionOwner {
    // Use a closure: a reference to the method would allocate an object for each message.
    let found = message.withAction { owner(of: $0) }
    return found.isMadeByShim && message.isPagesOwn ? others : found
  }

  private func owner(of action: UnsafeBufferPointer<UInt8>) -> ActionOwner {
    let start = Self.start(of: action)
    for index in rows.indices where start & rows[index].mask == rows[index].start {
      // If the action is shorter than the prefix, its missing bytes are zero. No prefix has zeros.
      guard let long = rows[index].longPrefix else { return rows[index].owner }
      if action.starts(with: longPrefixes[long]) { return rows[index].owner }
    }
    return others
  }

  /// The first eight bytes as a little-endian number.
  private static func start(of bytes: UnsafeBufferPointer<UInt8>) -> UInt64 {
    if bytes.count >= 8 {
      return UInt64(littleEndian: UnsafeRawBufferPointer(bytes).loadUnaligned(as: UInt64.self))
    }
    var start: UInt64 = 0
    for (place, byte) in bytes.enumerated() { start |= UInt64(byte) << UInt64(place * 8) }
    return start
  }
}

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

/// Knows which members of messages are secret.
protocol SecretMembers: AnyObject, Sendable {
  /// The names of members that the journal removes from an owner's messages.
  func secretMembers(of owner: ActionOwner) -> Set<String>

  /// The names of members that end like those of secrets, but are not secret.
  var publicMembers: Set<String> { get }
}
