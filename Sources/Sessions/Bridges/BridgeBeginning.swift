import BridgeRuntime

/// What a session begins with at one bridge, as a scenario says, or whoever makes the session. It has been read completely before any of it
/// is made.
public protocol BridgeBeginning: Sendable {
  /// Checks whether all of it can be made, before any of it is.
  ///
  /// - Throws: `OptionError` with the place of what cannot be made.
  @BridgeActor
  func check(in bridge: any SessionBridge) throws(OptionError)

  /// Makes it.
  ///
  /// - Throws: `OptionError` with the place of what cannot be made.
  @BridgeActor
  func begin(in bridge: any SessionBridge) throws(OptionError)
}

extension BridgeBeginning {
  /// All of it can be made.
  @BridgeActor
  public func check(in bridge: any SessionBridge) throws(OptionError) {}
}
