/// Traits of a bridge's messages: who creates them, and what they contain. Pages, the journal and the store depend on them.
public struct BridgeMessageTraits: OptionSet, Sendable, Hashable {
  /// The bits.
  public let rawValue: UInt8

  /// Creates traits of these bits.
  public init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// The shim creates the messages and their correlation ids. Without this, the page creates them.
  public static let madeByShim = BridgeMessageTraits(rawValue: 1)
  /// The messages report the session's durable state. They are wrong if that could not be stored.
  public static let tellsOfState = BridgeMessageTraits(rawValue: 2)
  /// The messages contain secrets. The journal looks for them at once.
  public static let holdsSecrets = BridgeMessageTraits(rawValue: 4)
  /// Long answers contain no images and share their data with other answers. The journal keeps them as they are.
  public static let sharesData = BridgeMessageTraits(rawValue: 8)
  /// The messages and their answers are values of any kind, although the shim's part names no channel that carries values. Each may be as
  /// large as the connection allows.
  public static let carriesValues = BridgeMessageTraits(rawValue: 16)
}
