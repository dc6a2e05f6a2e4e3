import Onside

/// The shims of a server: one for each contract and platform that a session can have.
struct ShimScripts: Sendable {
  /// The shim of sessions about which nothing else is set.
  let usual: EmbeddedFile
  private let scripts: [OnsideContract: [Platform: EmbeddedFile]]

  /// Makes the shims; nil when the executable lacks their files.
  init?(_ options: FootbridgeOptions) {
    var scripts: [OnsideContract: [Platform: EmbeddedFile]] = [:]
    for contract in OnsideContract.allCases {
      for platform in Platform.allCases {
        guard let script = ShimScript.shim(options, contract, platform) else { return nil }
        scripts[contract, default: [:]][platform] = script
      }
    }
    guard let usual = scripts[options.onside.settings.contract]?[options.platform] else { return nil }
    self.usual = usual
    self.scripts = scripts
  }

  subscript(contract: OnsideContract, platform: Platform) -> EmbeddedFile { scripts[contract]?[platform] ?? usual }
}
