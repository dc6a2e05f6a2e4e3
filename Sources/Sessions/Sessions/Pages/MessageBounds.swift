import BridgeCore

/// The size limits of a page's message, so that reading a large one does not block other pages.
struct MessageBounds {
  /// The maximum number of members and elements in the JSON.
  let valueLimit: Int
  private let callByteLimit: Int
  /// The size up to which a message cannot exceed any limit.
  private let harmlessByteCount: Int

  /// The maximum size of the strings in an envelope's head: version, correlation id and action.
  private static let headByteLimit = 8 << 10

  init(_ limits: FootbridgeLimits) {
    valueLimit = limits.messageValues
    callByteLimit = limits.callBytes
    harmlessByteCount = min(Self.headByteLimit, valueLimit, callByteLimit)
  }

  /// Whether the strings in the head of the envelope are too long for an answer. `byteCount` is the size of the message.
  func isHeadTooLong(_ message: BridgeMessage, byteCount: Int) -> Bool {
    byteCount > harmlessByteCount && message.headByteCount > Self.headByteLimit
  }

  /// Returns a sentence about the limit that a message exceeds; nil if it may be handled. `byteCount` is the size of the message.
  func problem(of message: BridgeMessage, _ owner: ActionOwner, byteCount: Int) -> String? {
    if byteCount <= harmlessByteCount { return nil }
    if message.hasTooManyValues { return "A message may have at most \(valueLimit) values." }
    guard byteCount > callByteLimit, owner.isMadeByShim else { return nil }
    // The answer to a sheet may contain an image.
    if owner == .footbridge, message.action == FootbridgeAction.answerSheet { return nil }
    return "A message of this kind may have at most \(callByteLimit) bytes."
  }
}
