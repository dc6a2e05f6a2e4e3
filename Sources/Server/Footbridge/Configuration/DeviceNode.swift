import BridgeCore
import BridgeServer
import Sessions

/// Reads what is said about a device.
enum DeviceNode {
  private static let members = [
    "state", "orientation", "size", "safeArea", "colorScheme", "textSize", "languages", "keyboardHeight", "network",
  ]

  /// The device with the members that a section names. A member of null gives the value back to the browser.
  static func changed(_ device: Device, by node: InputNode) throws(OptionError) -> Device {
    var device = device
    let members = try node.section(Self.members)
    if let state = try members["state"]?.choice(AppState.self) { device.state = state }
    if let node = members["orientation"] {
      device.orientation = node.isNull ? nil : try node.choice(Device.Orientation.self)
    }
    if let node = members["size"] { device.size = node.isNull ? nil : try size(node) }
    if let node = members["safeArea"] { device.safeArea = node.isNull ? nil : try insets(node) }
    if let node = members["colorScheme"] {
      device.colorScheme = node.isNull ? nil : try node.choice(Device.ColorScheme.self)
    }
    if let node = members["textSize"] { device.textSize = node.isNull ? nil : try node.integer(in: 50...400) }
    if let node = members["languages"] { device.languages = node.isNull ? nil : try languages(node) }
    if let node = members["keyboardHeight"] {
      device.keyboardHeight = node.isNull ? nil : try node.integer(in: 0...2000)
    }
    if let node = members["network"] { device.network = node.isNull ? nil : try network(node) }
    return device
  }

  /// What opens the app, and whether that launches it.
  static func opening(_ node: InputNode) throws(OptionError) -> (AppOpening, isCold: Bool) {
    let members = try node.section(["link", "push", "shortcut", "cold"])
    let isCold = try members["cold"]?.bool() ?? true
    switch (members["link"], members["push"], members["shortcut"]) {
    case (let link?, nil, nil): return (.link(try Self.link(link)), isCold)
    case (nil, let push?, nil): return (.push(.object(try push.jsonMembers())), isCold)
    case (nil, nil, let shortcut?): return (.shortcut(try Self.shortcut(shortcut)), isCold)
    default: throw node.expected("an object with exactly one of: link, push, shortcut")
    }
  }

  private static func link(_ node: InputNode) throws(OptionError) -> String {
    let text = try node.text()
    guard
      text.utf8.count <= 2048, text.wholeMatch(of: /[A-Za-z][A-Za-z0-9+.\-]*:[\x21-\x7E]+/) != nil,
      !text.lowercased().hasPrefix("javascript:")
    else { throw node.expected("an absolute link of at most 2048 bytes") }
    return text
  }

  private static func shortcut(_ node: InputNode) throws(OptionError) -> String {
    let text = try node.text()
    guard (1...500).contains(text.unicodeScalars.count) else { throw node.expected("a text of at most 500 characters") }
    return text
  }

  private static func size(_ node: InputNode) throws(OptionError) -> Device.Size {
    let members = try node.section(["width", "height"])
    guard let width = members["width"], let height = members["height"] else {
      throw node.expected("null, or an object with width and height")
    }
    return Device.Size(width: try width.integer(in: 1...10_000), height: try height.integer(in: 1...10_000))
  }

  private static func insets(_ node: InputNode) throws(OptionError) -> Device.Insets {
    let members = try node.section(["top", "right", "bottom", "left"])
    var insets = Device.Insets()
    insets.top = try members["top"]?.integer(in: 0...1000) ?? 0
    insets.right = try members["right"]?.integer(in: 0...1000) ?? 0
    insets.bottom = try members["bottom"]?.integer(in: 0...1000) ?? 0
    insets.left = try members["left"]?.integer(in: 0...1000) ?? 0
    return insets
  }

  private static func languages(_ node: InputNode) throws(OptionError) -> [String] {
    let tags = try node.list { node throws(OptionError) in
      let tag = try node.text()
      guard tag.utf8.count <= 35, tag.wholeMatch(of: /[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*/) != nil else {
        throw node.expected("a language tag, such as de or de-AT")
      }
      return tag
    }
    guard (1...10).contains(tags.count) else { throw node.expected("a list of 1 to 10 language tags") }
    return tags
  }

  private static func network(_ node: InputNode) throws(OptionError) -> Device.Network {
    let members = try node.section(["offline", "latency", "bytesPerSecond"])
    var network = Device.Network()
    network.isOffline = try members["offline"]?.bool() ?? false
    network.latency = try members["latency"]?.integer(in: 0...60_000) ?? 0
    if let node = members["bytesPerSecond"], !node.isNull {
      network.bytesPerSecond = try node.integer(in: 1...1_000_000_000)
    }
    return network
  }
}
