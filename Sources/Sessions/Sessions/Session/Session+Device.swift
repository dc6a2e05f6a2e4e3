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

  /// Opens the app, which runs in the background or in the foreground, by a link, a push notification or a shortcut.
  package func open(_ opening: AppOpening) {
    var device = device
    device.state = .active
    device.opening = opening
    change(device)
    tell(.device(.opened))
  }

  /// Notes what has launched the app.
  package func launched(by opening: AppOpening) {
    var device = device
    device.opening = opening
    change(device)
  }

  /// Has the system end the processes of the pages, since memory is short. The app loads them again.
  package func killPages() {
    journal.append(.store, action: "device", data: ["memoryWarning": true])
    for page in pages { page.kill() }
  }

  /// Has the latest page that is a main frame load an address of the site, since the app is launched.
  package func load(_ path: String) { pages.last { $0.reasonAgainstMainFrame == nil }?.kill(loading: path) }
}

extension Page {
  /// Sends the page the device. A page that has loaded before anybody spoke of the device loads its script now.
  func tell(_ device: Device) {
    loadDeviceScript()
    host.send(event: FootbridgeAction.device, data: device.json.objectValue ?? [:])
  }

  private func loadDeviceScript() {
    if hasDeviceScript { return }
    hasDeviceScript = true
    host.send(event: FootbridgeAction.script, data: ["name": "device.js"])
  }

  /// Ends the page as its process ends: it loads again, or loads `path`. A page that knows no device yet hears that it is left.
  fileprivate func kill(loading path: String? = nil) {
    let data: [String: JSONValue] = path.map { ["url": .string($0)] } ?? [:]
    host.send(
      event: hasDeviceScript ? FootbridgeAction.kill : path == nil ? FootbridgeAction.reload : FootbridgeAction.load,
      data: data)
  }
}
