package import BridgeRuntime
import WebServer

/// The network of a session's site. All of the session's responses share it, and all of its uploads: a phone has a bandwidth for each.
@BridgeActor
package final class DeviceNetwork: NetworkPace {
  /// The present network; nil for the machine's own.
  private let present: @BridgeActor () -> Device.Network?
  private var responses = Bandwidth()
  private var uploads = Bandwidth()

  /// Creates the network of a device, which `present` reads each time.
  package init(_ present: @escaping @BridgeActor () -> Device.Network?) {
    self.present = present
  }

  package func send(_ count: Int) async -> Int { await take(count, \.responses) }

  package func receive(_ count: Int) async -> Int { await take(count, \.uploads) }

  private func take(_ count: Int, _ direction: ReferenceWritableKeyPath<DeviceNetwork, Bandwidth>) async -> Int {
    guard let rate = present()?.bytesPerSecond else { return count }
    let turn = self[keyPath: direction].turn(of: count, at: .now, bytesPerSecond: rate)
    try? await Task.sleep(until: turn.end)
    return turn.count
  }
}
