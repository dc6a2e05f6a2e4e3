import BridgeCore

/// Identifies a call of a page: the hash of its correlation id. Two ids have the same hash once in 2⁶⁴ cases.
///
/// The id itself is not kept. The oldest of a thousand ids is in no cache of the processor any more, and to read it takes longer than the
/// rest of a call.
struct CallID: Hashable, Sendable {
  private let hash: Int

  /// The call with this correlation id.
  init(_ correlationId: String) {
    var id = correlationId
    hash = id.withUTF8(WordHash.hash)
  }

  /// The call that a message makes or answers.
  init(_ message: BridgeMessage) {
    hash = message.withCorrelationId(WordHash.hash)
  }

  /// Dictionaries use the hash as it is, since it already has a seed. To hash it again at each of five look-ups would cost a tenth of a
  /// message's instructions (`make bench PARTS=instructions`, "query of a page").
  func _rawHashValue(seed: Int) -> Int { hash ^ seed }
}

/// The call that a message belongs to, and the owner of its action.
struct PageCall {
  let id: CallID
  let owner: ActionOwner

  init(_ message: BridgeMessage, _ owners: ActionOwners) {
    id = CallID(message)
    owner = owners.owner(of: message)
  }
}
