/// The memory that the sessions of a server share, or that of one of them.
package struct SessionSpace {
  /// The calls without an answer.
  let calls: SharedBytes
  /// The messages to pages that they may not have received: events, requests and answers.
  let messages: SharedBytes
  /// What programs have set: rules, releases of gates, bridges.
  package let settings: SharedBytes
  /// The messages that hosts keep for an embedding program.
  package let received: SharedBytes

  /// How much programs may set in a session when nothing is free.
  private static let settingsShare = 64 << 10

  /// Creates the space of a server, with this many bytes of each kind.
  package init(byteLimit: Int) {
    calls = SharedBytes(limit: byteLimit)
    messages = SharedBytes(limit: byteLimit)
    settings = SharedBytes(limit: byteLimit)
    received = SharedBytes(limit: byteLimit)
  }

  /// Creates the space of a session of a server.
  package init(callByteLimit: Int, of server: SessionSpace) {
    calls = SharedBytes(limit: callByteLimit, of: server.calls)
    messages = SharedBytes(limit: server.messages.limit, of: server.messages)
    settings = SharedBytes(limit: server.settings.limit, share: Self.settingsShare, of: server.settings)
    received = SharedBytes(limit: server.received.limit, of: server.received)
  }
}
