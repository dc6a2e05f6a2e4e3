public import BridgeRuntime

/// Has the bodies of requests and responses pass as slowly as a slow network takes them.
@BridgeActor
public protocol NetworkPace: AnyObject {
  /// Waits until some bytes of a response may leave.
  ///
  /// - Parameter count: How many bytes are ready, at least one.
  /// - Returns: How many of them may leave now, at least one.
  func send(_ count: Int) async -> Int

  /// Waits until some bytes of a request may be read.
  ///
  /// - Parameter count: How many bytes have arrived, at least one.
  /// - Returns: How many of them may be read now, at least one.
  func receive(_ count: Int) async -> Int
}
