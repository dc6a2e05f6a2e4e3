import BridgeCore
import BridgeRuntime

extension FootbridgeOptions {
  /// How many received messages the host of a page keeps, if a program can look at them. The journal has them all anyway.
  private static let receivedMessagesLimit = 50
  /// About how many bytes they may have.
  private static let receivedMessagesByteLimit = 8 << 20

  /// Whether handlers of a page's requests may be the program's.
  var haveHostCode: Bool { makeHost != nil || onPage != nil }

  /// The host for a new page of `session`: the program's own, or a new one.
  @BridgeActor
  func makeHost(for session: Session, hostVersion: String) -> BridgeHost {
    var made: BridgeHost?
    if let makeHost { session.runHostCode { made = makeHost() } }
    let host =
      made ?? BridgeHost(hostVersion: hostVersion, clock: session.clock, random: session.random)
    if host.receivedMessagesLimit == .max {
      host.receivedMessagesLimit = haveHostCode ? Self.receivedMessagesLimit : 0
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
