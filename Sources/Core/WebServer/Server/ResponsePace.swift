public import BridgeRuntime

/// Has the bodies of responses leave as slowly as a slow network takes them.
@BridgeActor
public protocol ResponsePace: AnyObject {
  /// Waits until some bytes may leave.
  ///
  /// - Parameter count: How many bytes are ready, at least one.
  /// - Returns: How many of them may leave now, at least one.
  func take(_ count: Int) async -> Int
}
