/// The lines that are on their way to a handler: sent, and not taken yet. Small lines of one session leave room for those of others.
struct HandlerWindow: Sendable {
  private var lines: SessionCount
  /// With so many bytes on their way, no line follows, and none of a session with a quarter of them.
  private var bytes = SessionCount(limit: 16 << 20, sessionLimit: 4 << 20)

  /// Creates a window for so many lines, a quarter of them of one session.
  init(_ count: Int) {
    lines = SessionCount(limit: count, sessionLimit: max(count / 4, 1))
  }

  /// Whether a line of a session can go, of any length.
  func hasRoom(_ session: String) -> Bool { lines.hasRoom(session) && bytes.hasRoom(session) }

  /// A line goes. Returns false if there is no room.
  mutating func begin(_ line: HandlerLine) -> Bool {
    guard hasRoom(line.session) else { return false }
    lines.add(line.session)
    bytes.add(line.session, line.bytes.count)
    return true
  }

  /// The handler has taken a line.
  mutating func end(_ line: HandlerLine) {
    lines.end(line.session)
    bytes.end(line.session, line.bytes.count)
  }
}
