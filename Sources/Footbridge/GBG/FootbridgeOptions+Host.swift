import BridgeCore
import BridgeRuntime

extension FootbridgeOptions {
  /// How many received messages the host of a page keeps, if a program can look at them. The journal has them all anyway.
  private static let receivedMessagesLimit = 50
  /// About how many bytes they may have.
  private static let receivedMessagesByteLimit = 8 << 20

  /// The host for a new page: the program's own, or a new one.
  @BridgeActor
  func host(hostVersion: String, clock: any BridgeClock, random: BridgeRandom) -> BridgeHost {
    let host = makeHost?() ?? BridgeHost(hostVersion: hostVersion, clock: clock, random: random)
    let canBeRead = makeHost != nil || onPage != nil
    if host.receivedMessagesLimit == .max {
      host.receivedMessagesLimit = canBeRead ? Self.receivedMessagesLimit : 0
      host.receivedMessagesByteLimit = Self.receivedMessagesByteLimit
    }
    return host
  }

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
