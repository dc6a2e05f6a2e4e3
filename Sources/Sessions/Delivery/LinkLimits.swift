import BridgeCore

/// The limits of a page's messages, so that reading a large one, or many, does not block other pages.
package struct LinkLimits: Sendable {
  /// The maximum size of a message in bytes.
  package let messageBytes: Int
  /// The maximum number of members and elements in the JSON of a message.
  package let messageValues: Int
  /// The maximum size in bytes of a message that the shim makes and that holds no data.
  package let callBytes: Int
  /// The maximum number of calls that wait for an answer.
  package let openCalls: Int
  /// The size up to which a message cannot exceed any limit.
  private let harmlessBytes: Int

  /// The maximum size of the strings in an envelope's head: version, correlation id and action.
  private static let headBytes = 8 << 10
  /// The action of a person's answer to a sheet, which may contain an image.
  package static let sheetAnswer = "footbridge.sheet.answer"

  package init(messageBytes: Int, messageValues: Int, callBytes: Int, openCalls: Int) {
    self.messageBytes = messageBytes
    self.messageValues = messageValues
    self.callBytes = callBytes
    self.openCalls = openCalls
    harmlessBytes = min(Self.headBytes, messageValues, callBytes)
  }

  /// Whether the strings in the head of the envelope are too long for an answer. `byteCount` is the size of the message.
  func isHeadTooLong(_ message: BridgeMessage, byteCount: Int) -> Bool {
    byteCount > harmlessBytes && message.headByteCount > Self.headBytes
  }

  /// Returns a sentence about the limit that a message exceeds; nil if it may be handled. `byteCount` is the size of the message.
  func problem(of message: BridgeMessage, _ owner: ActionOwner, byteCount: Int) -> String? {
    if byteCount <= harmlessBytes { return nil }
    if message.hasTooManyValues { return "A message may have at most \(messageValues) values." }
    guard byteCount > callBytes, owner.isMadeByShim, !owner.traits.contains(.carriesValues) else { return nil }
    if owner == .footbridge, message.action == Self.sheetAnswer { return nil }
    return "A message of this kind may have at most \(callBytes) bytes."
  }
}
