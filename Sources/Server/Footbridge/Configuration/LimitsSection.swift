import BridgeServer
import Sessions

/// Reads the `limits` section of the YAML file: numbers by name. Times are in seconds.
struct LimitsSection {
  /// The limits of the section, and defaults for the others.
  private(set) var limits = FootbridgeLimits()

  private static let bytes = 1024...(1 << 40)
  /// The possible values of a limit on a count.
  static let count = 1...1_000_000_000
  private static let seconds = 1...31_536_000

  /// Reads the section. Limits of a bridge are set in `bridges`.
  init(_ node: InputNode, _ bridges: inout BridgeList) throws(OptionError) {
    let own = [
      "connections", "headBytes", "urlBytes", "headTimeout", "keepAliveTimeout", "transferTimeout", "messageBytes",
      "messagesPerSecond", "queueBytes", "totalBytes", "idleSessions", "sessionIdleTimeout", "storedSessionTimeout",
      "pagesPerSession", "tunnels", "tunnelIdleTimeout", "openCalls", "openCallBytes", "journalBytes", "callBytes",
      "messageValues", "upstreamSilence", "upstreamPingTimeout",
    ]
    let members = try node.section(own + bridges.limitNames)
    try bridges.readLimits(members)
    func set(_ name: String, in range: ClosedRange<Int>, _ body: (Int) -> Void) throws(OptionError) {
      if let member = members[name] { body(try member.integer(in: range)) }
    }
    try set("connections", in: Self.count) { limits.web.connections = $0 }
    try set("headBytes", in: Self.bytes) { limits.web.http.headBytes = $0 }
    try set("urlBytes", in: Self.bytes) { limits.web.http.startLineBytes = $0 }
    try set("headTimeout", in: Self.seconds) { limits.web.headTimeout = .seconds($0) }
    try set("keepAliveTimeout", in: Self.seconds) { limits.web.keepAliveTimeout = .seconds($0) }
    try set("transferTimeout", in: Self.seconds) { limits.web.transferTimeout = .seconds($0) }
    try set("messageBytes", in: Self.bytes) { limits.web.webSocketMessageBytes = $0 }
    try set("messagesPerSecond", in: Self.count) { limits.web.webSocketMessagesPerSecond = $0 }
    try set("queueBytes", in: Self.bytes) { limits.web.webSocketQueueBytes = $0 }
    try set("tunnels", in: Self.count) { limits.web.tunnels = $0 }
    try set("tunnelIdleTimeout", in: Self.seconds) { limits.web.tunnelIdleTimeout = .seconds($0) }
    try set("idleSessions", in: Self.count) { limits.idleSessions = $0 }
    try set("sessionIdleTimeout", in: Self.seconds) { limits.sessionIdleTimeout = .seconds($0) }
    try set("storedSessionTimeout", in: Self.seconds) { limits.storedSessionTimeout = .seconds($0) }
    try set("pagesPerSession", in: Self.count) { limits.pagesPerSession = $0 }
    try set("openCalls", in: Self.count) { limits.openCalls = $0 }
    try set("openCallBytes", in: Self.bytes) { limits.openCallBytes = $0 }
    try set("callBytes", in: Self.bytes) { limits.callBytes = $0 }
    try set("messageValues", in: 32...1_000_000_000) { limits.messageValues = $0 }
    try set("journalBytes", in: Self.bytes) { limits.journalBytes = $0 }
    try set("upstreamSilence", in: 0...31_536_000) { limits.upstreamSilence = .seconds($0) }
    try set("upstreamPingTimeout", in: Self.seconds) { limits.upstreamPingTimeout = .seconds($0) }
    try set("totalBytes", in: Self.bytes) { limits.web.totalBytes = $0 }
  }
}
