import BridgeCore

/// The device of a session.
extension Session {
  /// The device; that of the configuration until a program changes it.
  package var device: Device { profile.device ?? options.device ?? Device() }

  /// Whether anybody has said something about the device. Only then do pages load its script.
  package var hasDevice: Bool { profile.device != nil || options.device != nil }

  /// Changes the device. Pages and bridges learn what has changed.
  package func change(_ device: Device) {
    let old = self.device
    // The first change, even if it changes nothing, says that pages need the script.
    guard device != old || !hasDevice else { return }
    state.record.profile.device = device
    journal.append(.store, action: "device", data: device.json.objectValue)
    for page in pages { page.tell(device) }
    for event in old.state.events(to: device.state) { tell(.device(event)) }
  }
}

extension Page {
  /// Sends the page the device. A page that has loaded before anybody spoke of the device loads its script now.
  func tell(_ device: Device) {
    if remarks.isFirst("device") { host.send(event: FootbridgeAction.script, data: ["name": "device.js"]) }
    host.send(event: FootbridgeAction.device, data: device.json.objectValue ?? [:])
  }
}
