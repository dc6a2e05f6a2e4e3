import DequeModule

/// The lines that wait for a handler. Sessions take turns, and the lines of one session stay in order.
struct HandlerQueue: Sendable {
  /// The lines of one session.
  private struct Lines: Sendable {
    var lines = Deque<HandlerLine>()
    var byteCount = 0
  }

  private var sessions: [String: Lines] = [:]
  /// The sessions that have lines, by their turns.
  private var turns = Deque<String>()
  /// How many lines wait.
  private(set) var count = 0
  /// How many bytes they have.
  private(set) var byteCount = 0

  /// How many lines of a session wait, and how many bytes these have.
  func size(of session: String) -> (count: Int, byteCount: Int) {
    sessions[session].map { ($0.lines.count, $0.byteCount) } ?? (0, 0)
  }

  /// Adds a line after those of its session.
  mutating func append(_ line: HandlerLine) {
    if sessions[line.session] == nil { turns.append(line.session) }
    sessions[line.session, default: Lines()].lines.append(line)
    sessions[line.session]?.byteCount += line.bytes.count
    count += 1
    byteCount += line.bytes.count
  }

  /// Adds a line before those of its session.
  mutating func prepend(_ line: HandlerLine) {
    if sessions[line.session] == nil { turns.append(line.session) }
    sessions[line.session, default: Lines()].lines.prepend(line)
    sessions[line.session]?.byteCount += line.bytes.count
    count += 1
    byteCount += line.bytes.count
  }

  /// Whether a line about a page waits that tells that it has opened.
  func tellsOpening(of page: String) -> Bool {
    sessions[HandlerStateMachine.session(of: page)]?.lines.contains { $0.page == page && $0.notice == .opened } ?? false
  }

  /// Takes the first line of the next session whose line may go now.
  mutating func popFirst(where mayGo: (String) -> Bool) -> HandlerLine? {
    guard let turn = turns.firstIndex(where: mayGo) else { return nil }
    let session = turns.remove(at: turn)
    guard var rest = sessions.removeValue(forKey: session), let line = rest.lines.popFirst() else { return nil }
    rest.byteCount -= line.bytes.count
    if !rest.lines.isEmpty {
      sessions[session] = rest
      turns.append(session)
    }
    count -= 1
    byteCount -= line.bytes.count
    return line
  }

  /// Removes the lines about a page, or with its id about a session itself, if all of them are `stale`. Returns them.
  mutating func remove(of page: String, where isStale: (HandlerLine) -> Bool) -> [HandlerLine] {
    let session = HandlerStateMachine.session(of: page)
    guard var rest = sessions[session] else { return [] }
    let removed = rest.lines.filter { $0.page == page }
    guard !removed.isEmpty, removed.allSatisfy(isStale) else { return [] }
    rest.lines.removeAll { $0.page == page }
    let removedBytes = removed.reduce(0) { $0 + $1.bytes.count }
    rest.byteCount -= removedBytes
    count -= removed.count
    byteCount -= removedBytes
    sessions[session] = rest.lines.isEmpty ? nil : rest
    if rest.lines.isEmpty { turns.removeAll { $0 == session } }
    return Array(removed)
  }
}
