import BridgeCore

/// The name and icon of the page's app, which sheets show.
public struct AppIdentity: Sendable, Hashable {
  /// The app's name.
  public var name: String
  /// The content of the app's icon, an image; nil if it has none.
  public var icon: [UInt8]?
  /// The media type of the icon.
  public var iconType: String

  /// The route of the icon, below `/__footbridge/`.
  package static let iconRoute = "app-icon"

  /// Creates an identity.
  ///
  /// - Parameters:
  ///   - name: The app's name.
  ///   - icon: The content of an image, such as a PNG.
  ///   - iconType: The image's media type.
  public init(name: String, icon: [UInt8]? = nil, iconType: String = "image/png") {
    self.name = name
    self.icon = icon
    self.iconType = iconType
  }

  /// The app's name and the route of its icon, for pages.
  var json: JSONValue {
    var members: [String: JSONValue] = ["name": .string(name)]
    if icon != nil { members["icon"] = .string(Self.iconRoute) }
    return .object(members)
  }
}
