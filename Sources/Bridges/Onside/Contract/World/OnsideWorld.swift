import BridgeRuntime

/// A world: the part of the store that several devices of the same accounts share. What one device buys, refunds or renews, all others have
/// in the same turn.
///
/// A session has a world of its own unless it joins one:
///
///     let world = OnsideWorld(name: "family", of: phone.state)
///     phone.join(world, as: "phone")
///     tablet.join(world, as: "tablet")
@BridgeActor
public final class OnsideWorld {
  private struct Device {
    let name: String
    weak var launch: OnsideLaunch?
  }

  /// The world's name.
  public nonisolated let name: String
  private var state: OnsideWorldState
  private var version: String
  private var devices: [Device] = []

  /// Creates the world of a session: the one that its state names, or a new one. It starts with the session's orders and settings.
  public init(name: String, of session: OnsideState) {
    self.name = name
    state = session.common
    version = session.world?.version ?? ""
  }

  /// The session's state with the values of the world.
  public func joined(by session: OnsideState) -> OnsideState {
    var joined = session
    joined.common = state
    joined.world = OnsideWorldMark(name: name, version: version)
    return joined
  }

  /// The names of the devices whose app is running, in the order in which they joined.
  public var deviceNames: [String] { devices.filter { $0.launch != nil }.map(\.name) }

  func add(_ launch: OnsideLaunch, as name: String) {
    devices.removeAll { $0.launch == nil || $0.launch === launch }
    devices.append(Device(name: name, launch: launch))
  }

  func remove(_ launch: OnsideLaunch) {
    devices.removeAll { $0.launch == nil || $0.launch === launch }
  }

  /// A device has deleted orders. Their transactions leave the queues of the other devices, too.
  func dropTransactions(ofOrders ids: Set<String>, after launch: OnsideLaunch) {
    for device in devices where device.launch !== launch { device.launch?.ordersWereDeleted?(ids) }
  }

  /// A device has changed values of the world, or has gone back to those in the store. The other devices follow.
  func follow(_ launch: OnsideLaunch) {
    guard let mark = launch.state.world, mark.version != version else { return }
    state = launch.state.common
    version = mark.version
    let leader = devices.first { $0.launch === launch }?.name ?? ""
    for device in devices where device.launch !== launch { device.launch?.follow(self, after: leader) }
  }
}
