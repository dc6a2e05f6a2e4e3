package import BridgeCore

/// The phone around the app, as far as a page notices it: whether the app is in the foreground, how it was opened, and how the phone is set.
///
/// A value of nil leaves to the browser what the page finds.
package struct Device: Sendable, Hashable, Codable {
  /// Where the app is between the foreground and its suspension.
  package var state = AppState.active
  /// What has opened the app; nil if the person has tapped its icon.
  package var opening: AppOpening?
  /// How the phone is held.
  package var orientation: Orientation?
  /// The screen in CSS pixels, held upright.
  package var size: Size?
  /// What the notch, the corners and the home indicator take of the screen.
  package var safeArea: Insets?
  /// Whether the phone is in dark mode.
  package var colorScheme: ColorScheme?
  /// The size of texts, in percent of the usual one.
  package var textSize: Int?
  /// The person's languages as tags (BCP 47), the preferred one first. A tag has the region.
  package var languages: [String]?
  /// The height of the keyboard in CSS pixels; nil or 0 if it is hidden.
  package var keyboardHeight: Int?
  /// The network of the site; nil for the machine's own.
  package var network: Network?

  /// How a phone is held.
  package enum Orientation: String, Sendable, Codable, CaseIterable { case portrait, landscape }
  /// Light or dark mode.
  package enum ColorScheme: String, Sendable, Codable, CaseIterable { case light, dark }

  /// A width and a height, in CSS pixels.
  package struct Size: Sendable, Hashable, Codable {
    package var width: Int
    package var height: Int
    package init(width: Int, height: Int) { (self.width, self.height) = (width, height) }
  }

  /// What is taken from each side, in CSS pixels.
  package struct Insets: Sendable, Hashable, Codable {
    package var top = 0
    package var right = 0
    package var bottom = 0
    package var left = 0
    package init() {}
  }

  /// A network that is worse than the machine's own.
  package struct Network: Sendable, Hashable, Codable {
    /// Whether requests for the site fail.
    package var isOffline = false
    /// How long each response waits, in milliseconds.
    package var latency = 0
    /// How many bytes of all responses together arrive in a second; nil for as many as the machine's network takes.
    package var bytesPerSecond: Int?
    package init() {}
  }

  /// Creates a device on which the app is active, and that leaves everything else to the browser.
  package init() {}

  /// The device after the app was launched.
  var launched: Device {
    var device = self
    device.state = .active
    device.opening = nil
    return device
  }

  /// `Accept-Language` of the person's languages (RFC 9110, section 12.5.4); nil for the browser's.
  package var acceptLanguage: String? {
    languages.map { tags in
      let weighted = tags.enumerated().map { index, tag in index == 0 ? tag : "\(tag);q=0.\(max(1, 10 - index))" }
      return weighted.joined(separator: ",")
    }
  }

  /// The device as the control API shows it, and as pages get it.
  package var json: JSONValue {
    let size: JSONValue? = size.map { ["width": $0.width.json, "height": $0.height.json] }
    let safeArea: JSONValue? = safeArea.map {
      ["top": $0.top.json, "right": $0.right.json, "bottom": $0.bottom.json, "left": $0.left.json]
    }
    let network: JSONValue? = network.map {
      [
        "offline": .bool($0.isOffline), "latency": $0.latency.json,
        "bytesPerSecond": $0.bytesPerSecond?.json ?? .null,
      ]
    }
    return [
      "state": .string(state.rawValue), "opening": opening?.json ?? .null,
      "orientation": orientation.map { .string($0.rawValue) } ?? .null, "size": size ?? .null,
      "safeArea": safeArea ?? .null, "colorScheme": colorScheme.map { .string($0.rawValue) } ?? .null,
      "textSize": textSize?.json ?? .null, "languages": languages.map { .array($0.map { .string($0) }) } ?? .null,
      "keyboardHeight": keyboardHeight?.json ?? .null, "network": network ?? .null,
    ]
  }
}

extension Int {
  fileprivate var json: JSONValue { .number(Double(self)) }
}
