import BridgeCore
import BridgeRuntime

extension FootbridgeOptions {
  /// These options with the scripts that the program's own host begins documents with, unless the options have a script themselves.
  /// Documents are served before their hosts are made, so a host is made to learn them.
  @BridgeActor
  func withScriptsOfHost() -> FootbridgeOptions {
    guard let makeHost, gbg.isEnabled, gbg.delivery.bootstrapScript == nil else { return self }
    var options = self
    options.gbg.delivery.bootstrapScript = makeHost().documentStartScript
    return options
  }
}
