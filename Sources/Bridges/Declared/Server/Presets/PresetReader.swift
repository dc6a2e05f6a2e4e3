import BridgeCore
import BridgeRuntime
import BridgeServer
import Sessions

/// A preset that has a native side: an SDK on the wire of another preset.
struct PresetReader: Sendable {
  /// The preset whose wire it has.
  let wire: String
  /// Reads its members of `options`, and returns what they mean. The others are the wire's.
  let read: @Sendable ([String: InputNode]) throws(OptionError) -> PresetHostMaker
  /// Its members of `options`.
  let keys: Set<String>
  /// The plugins that its native side adds to those of the page, by name, with their methods.
  let plugins: [String: [PluginMethod]]

  /// Serves what the SDK asks of a server; nil if it asks none.
  var serve: (@Sendable @BridgeActor (ServerContext) -> Void)?

  /// A method of a plugin, and how the page gets its result.
  struct PluginMethod: Sendable {
    /// The name.
    let name: String
    /// `promise` or `callback`; nil for a method without a result.
    let result: String?

    /// The method as Capacitor's headers have it.
    var json: JSONValue {
      var members: [String: JSONValue] = ["name": .string(name)]
      members["rtype"] = result.map { .string($0) }
      return .object(members)
    }
  }

  /// The presets with a native side, by name.
  static let all: [String: PresetReader] = [
    "adapty": .adapty, "cordova-purchase": .cordovaPurchase, "qonversion": .qonversion, "revenuecat": .revenueCat,
  ]

  /// The options of the wire, with the plugins of the native side.
  func wireOptions(_ options: [String: JSONValue]) -> [String: JSONValue] {
    var options = options.filter { !keys.contains($0.key) }
    if plugins.isEmpty { return options }
    let own = plugins.mapValues { JSONValue.array($0.map(\.json)) }
    switch options["plugins"] {
    case .array(let headers):
      options["plugins"] = .array(
        headers + own.sorted { $0.key < $1.key }.map { ["name": .string($0), "methods": $1] })
    case .object(let named): options["plugins"] = .object(named.merging(own) { $1 })
    default: options["plugins"] = .object(own)
    }
    return options
  }
}
