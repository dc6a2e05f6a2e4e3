import BridgeRuntime

/// The initial state of a session at one bridge, from a scenario or from the request that creates the session. It is read completely before
/// any of it is applied.
public protocol BridgeBeginning: Sendable {
  /// Checks whether all of it is possible, before any of it is applied.
  ///
  /// - Throws: `OptionError` with the place of what is not possible.
  @BridgeActor
  func check(in bridge: any SessionBridge) throws(OptionError)

  /// Applies it.
  ///
  /// - Throws: `OptionError` with the place of what is not possible.
  @BridgeActor
  func begin(in bridge: any SessionBridge) throws(OptionError)
}

extension BridgeBeginning {
  /// Everything is possible.
  @BridgeActor
  public func check(in bridge: any SessionBridge) throws(OptionError) {}
}
