import BridgeCore

/// How much one message of a page may hold, so that to read it keeps nobody else waiting.
struct MessageBounds {
  /// How many members and elements there may be.
  let valueLimit: Int
  private let callByteLimit: Int
  /// A message of at most so many bytes can break none of the bounds.
  private let harmlessByteCount: Int

  /// How many bytes the strings of an envelope's head may have: version, correlation id and action.
  private static let headByteLimit = 8 << 10

  init(_ limits: FootbridgeLimits) {
    valueLimit = limits.messageValues
    callByteLimit = limits.callBytes
    harmlessByteCount = min(Self.headByteLimit, valueLimit, callByteLimit)
  }

  /// Whether the strings of the envelope's head are too long for it to be answered. The message has so many bytes.
  func isHeadTooLong(_ message: BridgeMessage, byteCount: Int) -> Bool {
    byteCount > harmlessByteCount && message.headByteCount > Self.headByteLimit
  }

  /// What is wrong with a message of so many bytes, in one sentence; nil when it may be handled.
  func problem(of message: BridgeMessage, _ owner: ActionOwner, byteCount: Int) -> String? {
    if byteCount <= harmlessByteCount { return nil }
    if message.hasTooManyValues { return "A message may hold \(valueLimit) values, and this one has more." }
    guard byteCount > callByteLimit, owner.isMadeByShim else { return nil }
    // What a person answers may be an image.
    if owner == .footbridge, message.action == FootbridgeAction.answerSheet { return nil }
    return "A message of this kind may have \(callByteLimit) bytes, and this one has more."
  }
}
