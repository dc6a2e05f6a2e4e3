package import BridgeRuntime
import WebServer

/// The network of a session's site, which all of the session's responses share.
@BridgeActor
package final class DeviceNetwork: ResponsePace {
  /// The present network; nil for the machine's own.
  private let present: @BridgeActor () -> Device.Network?
  private var bandwidth = Bandwidth()

  /// Creates the network of a device, which `present` reads each time.
  package init(_ present: @escaping @BridgeActor () -> Device.Network?) {
    self.present = present
  }

  package func take(_ count: Int) async -> Int {
    guard let rate = present()?.bytesPerSecond else { return count }
    let turn = bandwidth.turn(of: count, at: .now, bytesPerSecond: rate)
    try? await Task.sleep(until: turn.end)
    return turn.count
  }
}
