import BridgeCore
import BridgeRuntime
import OnsideKit

/// The shims of a server: one for each contract and platform that a session can have, made when it is first asked for.
@BridgeActor
final class ShimScripts {
  private let options: FootbridgeOptions
  private var scripts: [OnsideContract: [Platform: EmbeddedFile]] = [:]

  /// No shim is made yet.
  init(_ options: FootbridgeOptions) {
    self.options = options
  }

  /// The shim of sessions about which nothing else is set.
  var usual: EmbeddedFile { self[options.onside.settings.contract, options.platform] }

  /// The shim for the pages of a session.
  subscript(session: Session) -> EmbeddedFile { self[session.onside.settings.contract, session.platform] }

  subscript(contract: OnsideContract, platform: Platform) -> EmbeddedFile {
    if let script = scripts[contract]?[platform] { return script }
    let script = ShimScript.shim(options, contract, platform)
    scripts[contract, default: [:]][platform] = script
    return script
  }
}
