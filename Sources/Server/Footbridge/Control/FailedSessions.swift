import BridgeCore
import BridgeRuntime
import Sessions

/// The journals of sessions that ended after a failed test. The dashboard shows them while the server runs.
@BridgeActor
final class FailedSessions {
  /// The maximum number of journals. The oldest are dropped first.
  nonisolated static let limit = 50
  /// How long a journal is stored.
  nonisolated static let lifetime = Duration.seconds(3600)
  /// The maximum size of all journals, in bytes of JSON.
  nonisolated static let byteLimit = 64 << 20

  /// A session that has ended, with its journal.
  struct Ended: Sendable {
    /// The session's id.
    let session: String
    /// Its name; nil if it had none.
    let name: String?
    /// When it ended.
    let time: BridgeInstant
    /// How many entries its journal has.
    let entryCount: Int
    /// The answer to a request for the journal, as JSON.
    let transcript: [UInt8]

    /// What the list tells about it.
    var json: JSONValue { .object(Self.members(session, name, time, entryCount)) }

    /// The session, as it is at the end.
    @BridgeActor init(_ session: Session, at time: BridgeInstant) {
      let entries = session.journal.entries(after: 0, limit: JournalBuffer.entryLimit).entries
      self.session = session.id
      name = session.profile.name
      self.time = time
      entryCount = entries.count
      var members = Self.members(session.id, name, time, entryCount)
      members["transcript"] = .array(entries.map(\.json))
      transcript = Array((JSONValue.object(members).jsonText + "\n").utf8)
    }

    init(session: String, name: String?, time: BridgeInstant, entryCount: Int, transcript: [UInt8]) {
      self.session = session
      self.name = name
      self.time = time
      self.entryCount = entryCount
      self.transcript = transcript
    }

    private static func members(
      _ session: String, _ name: String?, _ time: BridgeInstant, _ entryCount: Int
    ) -> [String: JSONValue] {
      [
        "session": .string(session), "name": name.map { .string($0) } ?? .null, "ended": .string(time.rfc3339),
        "entries": .number(Double(entryCount)),
      ]
    }
  }

  private let clock: any BridgeClock
  private var ended: [Ended] = []

  init(clock: any BridgeClock) { self.clock = clock }

  /// The sessions, the latest first.
  var all: [Ended] {
    dropOld()
    return ended.reversed()
  }

  /// The session with an id; nil if its test did not fail, or if it was dropped.
  subscript(_ session: String) -> Ended? { all.first { $0.session == session } }

  /// Stores the journal of a session that is about to end.
  func add(_ session: Session) { add(Ended(session, at: clock.now)) }

  /// Stores a journal. Drops the oldest if there is no room.
  func add(_ session: Ended) {
    dropOld()
    ended.removeAll { $0.session == session.session }
    ended.append(session)
    while ended.count > Self.limit || ended.reduce(0, { $0 + $1.transcript.count }) > Self.byteLimit {
      ended.removeFirst()
    }
  }

  private func dropOld() {
    let now = clock.now
    ended.removeAll { $0.time.advanced(by: Self.lifetime) <= now }
  }
}
