import BridgeCore
import BridgeRuntime

extension FootbridgeOptions {
  /// Adds the document-start scripts of the program's own host, unless the options have a script themselves. Documents are served before
  /// their hosts exist, so this creates a host to learn them.
  @BridgeActor
  func withScriptsOfHost() -> FootbridgeOptions {
    guard let makeHost, gbg.isEnabled, gbg.delivery.bootstrapScript == nil else { return self }
    var options = self
    options.gbg.delivery.bootstrapScript = makeHost().documentStartScript
    return options
  }
}
