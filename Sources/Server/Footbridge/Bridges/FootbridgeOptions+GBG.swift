import BridgeRuntime
public import GBGServer

extension FootbridgeOptions {
  /// The settings of GBGBridge: capabilities, answers, captures, and the delivery of messages to the page.
  public var gbg: GBGConfiguration {
    get { bridges[GBGDefinition.self]?.configuration ?? GBGConfiguration() }
    set { bridges.change(GBGDefinition.self) { $0.configuration = newValue } }
  }
}

extension FootbridgeOptions {
  /// Adds the document-start scripts of the program's own host, unless the options have a script. Documents are served before their hosts
  /// exist, so this creates a host to get its scripts.
  @BridgeActor
  func withScriptsOfHost() -> FootbridgeOptions {
    guard let makeHost = sessions.makeHost, gbg.isEnabled, gbg.delivery.bootstrapScript == nil else { return self }
    var options = self
    options.gbg.delivery.bootstrapScript = makeHost().documentStartScript
    return options
  }
}
