import BridgeCore
import BridgeRuntime

/// The shims of a server: one for each combination of bridge variants and platform. Each is made when it is first needed.
@BridgeActor
final class ShimScripts {
  private let options: FootbridgeOptions
  private let bridges: BridgeTable
  private var scripts: [[String]: EmbeddedFile] = [:]

  /// Creates no shim yet.
  init(_ options: FootbridgeOptions, _ bridges: BridgeTable) {
    self.options = options
    self.bridges = bridges
  }

  /// The shim of sessions with the default settings.
  var usual: EmbeddedFile { self[bridges.definitions.map(\.shimVariant), options.platform] }

  /// The shim for the pages of a session.
  subscript(session: Session) -> EmbeddedFile {
    self[zip(bridges.definitions, session.bridges).map { $1.shimVariant ?? $0.shimVariant }, session.platform]
  }

  /// The shim with these variants of the bridges that are switched on.
  subscript(variants: [String], platform: Platform) -> EmbeddedFile {
    let key = variants + [platform.rawValue]
    if let script = scripts[key] { return script }
    let parts = zip(bridges.definitions, variants).map { ($0.name, $0.shim($1, platform)) }
    let script = ShimScript.shim(options, bridges, parts, platform)
    scripts[key] = script
    return script
  }
}
