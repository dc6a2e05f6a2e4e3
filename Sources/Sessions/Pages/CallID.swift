import BridgeCore

/// Which call of a page's it is: the hash of its correlation id. That two ids have the same one happens once in 2⁶⁴.
///
/// The id itself is not kept: the oldest of a thousand is in no cache of the processor any more, and to look at it takes longer than the rest
/// of a call.
struct CallID: Hashable, Sendable {
  private let hash: Int

  /// The call of this correlation id.
  init(_ correlationId: String) {
    var id = correlationId
    hash = id.withUTF8(WordHash.hash)
  }

  /// The call that a message is, or answers.
  init(_ message: BridgeMessage) {
    hash = message.withCorrelationId(WordHash.hash)
  }

  /// Dictionaries take the hash as it is: it has a seed already. Hashing it once more, at each of five look-ups, is a tenth of a message's
  /// instructions (`make bench PARTS=instructions`, "query of a page").
  func _rawHashValue(seed: Int) -> Int { hash ^ seed }
}
