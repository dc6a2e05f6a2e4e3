/// Who makes a bridge's messages, and what they hold: what pages, the journal and the store must know of each message.
public struct BridgeMessageTraits: OptionSet, Sendable, Hashable {
  /// The bits.
  public let rawValue: UInt8

  /// Creates traits of these bits.
  public init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// The shim makes the messages, and their correlation ids. Without it they are as the page has made them.
  public static let madeByShim = BridgeMessageTraits(rawValue: 1)
  /// The messages tell of the session's durable state: what they say is wrong when that could not be kept.
  public static let tellsOfState = BridgeMessageTraits(rawValue: 2)
  /// The messages hold secrets, which the journal looks for at once.
  public static let holdsSecrets = BridgeMessageTraits(rawValue: 4)
  /// Long answers hold no images, and share their data with other answers: the journal keeps them as they are.
  public static let sharesData = BridgeMessageTraits(rawValue: 8)
}
