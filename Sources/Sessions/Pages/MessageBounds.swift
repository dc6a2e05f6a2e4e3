import BridgeCore

/// The limits of a page's message, so that reading it does not keep others waiting.
struct MessageBounds {
  /// The maximum number of members and elements.
  let valueLimit: Int
  private let callByteLimit: Int
  /// A message up to this size cannot break any limit.
  private let harmlessByteCount: Int

  /// The maximum size of the strings in an envelope's head: version, correlation id and action.
  private static let headByteLimit = 8 << 10

  init(_ limits: FootbridgeLimits) {
    valueLimit = limits.messageValues
    callByteLimit = limits.callBytes
    harmlessByteCount = min(Self.headByteLimit, valueLimit, callByteLimit)
  }

  /// Whether the strings of the envelope's head are too long to answer it. `byteCount` is the size of the message.
  func isHeadTooLong(_ message: BridgeMessage, byteCount: Int) -> Bool {
    byteCount > harmlessByteCount && message.headByteCount > Self.headByteLimit
  }

  /// What is wrong with a message of this size, in one sentence; nil if it may be handled.
  func problem(of message: BridgeMessage, _ owner: ActionOwner, byteCount: Int) -> String? {
    if byteCount <= harmlessByteCount { return nil }
    if message.hasTooManyValues { return "A message may have at most \(valueLimit) values." }
    guard byteCount > callByteLimit, owner.isMadeByShim else { return nil }
    // The person's answer may contain an image.
    if owner == .footbridge, message.action == FootbridgeAction.answerSheet { return nil }
    return "A message of this kind may have at most \(callByteLimit) bytes."
  }
}
