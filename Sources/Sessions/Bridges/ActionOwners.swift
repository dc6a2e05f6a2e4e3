import BridgeCore

/// Finds out whose an action is, by how it begins. It is asked for each message: the first eight bytes are compared as one number, and only
/// longer prefixes as bytes.
package struct ActionOwners: Sendable {
  private struct Row {
    let start: UInt64
    let mask: UInt64
    /// Which of ``longPrefixes`` is to be compared, too; nil when the number says it all.
    let longPrefix: Int?
    let owner: ActionOwner
  }

  private var rows: [Row] = []
  private var longPrefixes: [[UInt8]] = []
  /// Whose everything else is.
  private let others: ActionOwner

  /// Takes the bridges' prefixes, each with its owner. What begins as none of them is `others`'.
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

  /// Whose an action is.
  package func owner(of action: String) -> ActionOwner {
    var action = action
    return action.withUTF8 { owner(of: $0) }
  }

  /// Whose the action of a message is.
  func owner(of message: BridgeMessage) -> ActionOwner {
    // A closure, since a reference to the method is an object for each message.
    message.withAction { owner(of: $0) }
  }

  private func owner(of action: UnsafeBufferPointer<UInt8>) -> ActionOwner {
    let start = Self.start(of: action)
    for index in rows.indices where start & rows[index].mask == rows[index].start {
      // Of an action that ends before the prefix does, the missing bytes are zero, and no prefix has those.
      guard let long = rows[index].longPrefix else { return rows[index].owner }
      if action.starts(with: longPrefixes[long]) { return rows[index].owner }
    }
    return others
  }

  /// The first eight bytes, the first of them lowest.
  private static func start(of bytes: UnsafeBufferPointer<UInt8>) -> UInt64 {
    if bytes.count >= 8 {
      return UInt64(littleEndian: UnsafeRawBufferPointer(bytes).loadUnaligned(as: UInt64.self))
    }
    var start: UInt64 = 0
    for (place, byte) in bytes.enumerated() { start |= UInt64(byte) << UInt64(place * 8) }
    return start
  }
}
