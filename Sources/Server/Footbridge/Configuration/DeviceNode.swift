import BridgeServer
import Sessions

/// Reads what is to change of a device.
enum DeviceNode {
  /// The device with the members that a section names. A member of null gives the value back to the browser.
  static func changed(_ device: Device, by node: InputNode) throws(OptionError) -> Device {
    var device = device
    let members = try node.section(["state"])
    if let state = try members["state"]?.choice(AppState.self) { device.state = state }
    return device
  }
}
