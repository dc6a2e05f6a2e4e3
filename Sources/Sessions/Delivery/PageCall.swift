import BridgeCore

/// Identifies a call of a page by the hash of its correlation id. Two ids have the same hash with a probability of 2⁻⁶⁴.
///
/// The id itself is not stored. Of a thousand ids, the oldest is no longer in the processor's cache, and reading it would take longer than
/// the rest of the call.
package struct CallID: Hashable, Sendable {
  let hash: Int

  /// The call with this correlation id.
  package init(_ correlationId: String) {
    var id = correlationId
    hash = id.withUTF8 { $0.bytesHash }
  }

  /// The call with this number. See `BridgeMessage.pageCall`.
  init(pageCall: Int) { self.init(Self.storedID(ofPageCall: pageCall)) }

  /// The call whose correlation id a message has.
  init(_ message: BridgeMessage) {
    hash = message.withCorrelationId { $0.bytesHash }
  }

  /// The id of a page's call in the store. No correlation id of the shim begins like this.
  static func storedID(ofPageCall number: Int) -> String { pageCallPrefix + String(number) }

  static let pageCallPrefix = "footbridge-page-"

  /// Dictionaries use the hash as it is, since it already has a seed. To hash it again at each of five look-ups would cost a tenth of a
  /// message's instructions (`make bench PARTS=instructions`, "query of a page").
  package func _rawHashValue(seed: Int) -> Int { hash ^ seed }
}

/// The call that a message belongs to, and the owner of its action.
package struct PageCall: Equatable, Sendable {
  package let id: CallID
  package let owner: ActionOwner
  /// The number of the call; nil if its correlation id identifies it.
  package let number: Int?

  init(_ message: BridgeMessage, _ owners: ActionOwners) {
    number = message.pageCall
    id = number.map { CallID(pageCall: $0) } ?? CallID(message)
    owner = owners.owner(of: message)
  }

  /// A numbered call.
  init(number: Int, owner: ActionOwner) {
    self.number = number
    id = CallID(pageCall: number)
    self.owner = owner
  }
}

/// The message of a page that is being handled. Most answers come during this time, and need no search for their call.
struct HandledMessage {
  private var message: ObjectIdentifier?
  private var call: PageCall?

  /// Begins to handle a message.
  mutating func begin(_ message: BridgeMessage, _ call: PageCall) {
    self.message = message.identity
    self.call = call
  }

  /// Notes that the message was handled.
  mutating func end() {
    message = nil
    call = nil
  }

  /// Returns the call of a message; nil if the message is not being handled.
  func call(of message: BridgeMessage) -> PageCall? {
    self.message == message.identity ? call : nil
  }
}

extension BridgeMessage {
  /// Whether the correlation id looks like that of one of the shim's own calls.
  var hasShimsID: Bool {
    withCorrelationId { id in Self.shimsPrefix.withUTF8Buffer { id.starts(with: $0) } }
  }

  private static let shimsPrefix: StaticString = "footbridge-"

  /// Calls `body` with what identifies a call of the shim, in UTF-8: its correlation id, or its number.
  func withIdentifier<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    guard let pageCall else { return withCorrelationId(body) }
    var id = CallID.storedID(ofPageCall: pageCall)
    return id.withUTF8(body)
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// A hash of these bytes. Its seed is another one in each process.
  var bytesHash: Int {
    var hasher = Hasher()
    hasher.combine(bytes: UnsafeRawBufferPointer(self))
    return hasher.finalize()
  }
}
