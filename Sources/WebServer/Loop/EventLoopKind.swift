/// What waits for the sockets of a process (`--event-loop`).
public enum EventLoopKind: String, Sendable, CaseIterable {
  /// `poll`, libwebsockets' own: the faster one for some hundreds of connections, all of which it looks at in each turn.
  case poll
  /// libev, through libwebsockets' plugin (Debian's `libwebsockets-evlib-ev`): for thousands of connections, of which it sees the busy ones.
  case libev
}
