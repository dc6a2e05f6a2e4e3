import BridgeServer
import Sessions
import WebServer

/// Reads the `app` section of the YAML file: the name of the app, and the file of its icon.
struct AppSection {
  /// The app.
  let app: AppIdentity

  /// The maximum length of a name, in bytes: sheets have one line for it.
  private static let longestName = 200
  /// The maximum size of an icon, in bytes.
  private static let largestIcon = 1 << 20

  /// - Throws: `OptionError` with the place of what is wrong.
  init(_ node: InputNode) throws(OptionError) {
    let members = try node.section(["name", "icon"])
    guard let name = members["name"], case let text = try name.text(), !text.isEmpty,
      text.utf8.count <= Self.longestName
    else { throw (members["name"] ?? node).expected("an app with a name of 1 to \(Self.longestName) bytes") }
    var app = AppIdentity(name: text)
    if let icon = members["icon"] {
      app.iconType = MediaType.of(fileName: try icon.text())
      guard app.iconType.hasPrefix("image/") else { throw icon.expected("the path of an image, such as icon.png") }
      app.icon = Array(try icon.fileContent(limit: Self.largestIcon))
    }
    self.app = app
  }
}
