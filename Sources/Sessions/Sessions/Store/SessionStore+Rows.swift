import BridgeRuntime
import Delivery
package import Essentials

extension SessionStore {
  // MARK: Writing

  static func write(_ change: SessionChange, _ seal: StoreSeal?, to transaction: any StoreTransaction) throws {
    guard let record = change.record else {
      return try transaction.run("DELETE FROM session WHERE key = ?", .text(change.key))
    }
    try write(record, in: change, seal, to: transaction)
    // Delete ended pages first: one of them may have come back, and is then among the changed pages.
    for id in change.endedPages {
      try transaction.run("DELETE FROM page WHERE sessionKey = ? AND id = ?", .text(change.key), .text(id))
    }
    for page in change.pages { try write(page, of: change.key, seal, to: transaction) }
  }

  private static func write(
    _ record: SessionRecord, in change: SessionChange, _ seal: StoreSeal?, to transaction: any StoreTransaction
  ) throws {
    if change.isLastingAnew || !hasSameRow(change.former, record) {
      var columns = ["key", "profile", "usedAt", "isLasting"]
      var values: [StoreValue] = [
        .text(change.key), .blob(try encoded(record.profile.sealed(by: seal))), .text(time(Date())),
        .integer(change.isLasting ? 1 : 0),
      ]
      if change.former?.ownBridges != record.ownBridges {
        columns.append("bridges")
        let sections = try record.ownBridges.isEmpty ? nil : encoded(record.ownBridges)
        values.append(sections.map { .blob(seal?.seal($0) ?? $0) } ?? .null)
      }
      for state in record.states {
        columns.append(type(of: state).column)
        values.append(.blob(try state.columnContent()))
      }
      try transaction.run(
        """
        INSERT INTO session (\(columns.joined(separator: ", "))) VALUES (\(columns.map { _ in "?" }.joined(separator: ", ")))
        ON CONFLICT (key) DO UPDATE
        SET \(columns.dropFirst().map { "\($0) = excluded.\($0)" }.joined(separator: ", "))
        """,
        values[...])
    }
    func writeRows<State: BridgeState>(_ state: State) throws {
      try state.writeRows(since: change.former?[State.self], of: change.key, to: transaction)
    }
    for state in record.states { try writeRows(state) }
  }

  /// Whether the session's row needs no change: only rows of other tables have changed.
  private static func hasSameRow(_ former: SessionRecord?, _ present: SessionRecord) -> Bool {
    guard let former, former.profile == present.profile, former.ownBridges == present.ownBridges else { return false }
    func hasSameColumn<State: BridgeState>(_ state: State) -> Bool {
      former[State.self].map { state.hasSameColumn(as: $0) } ?? false
    }
    return present.states.allSatisfy { hasSameColumn($0) }
  }

  private static func write(
    _ page: PageChange, of sessionKey: String, _ seal: StoreSeal?, to transaction: any StoreTransaction
  ) throws {
    func sealed(_ text: [UInt8], _ action: String) -> StoreValue { .blob(seal?.seal(text, action: action) ?? text) }
    let key = StoreValue.text(sessionKey)
    let id = StoreValue.text(page.pageID)
    if let lastSequence = page.lastSequence {
      try transaction.run(
        """
        INSERT INTO page (sessionKey, id, lastSequence) VALUES (?, ?, ?)
        ON CONFLICT (sessionKey, id) DO UPDATE SET lastSequence = excluded.lastSequence
        """,
        key, id, .integer(lastSequence))
    }
    if let forgotten = page.forgottenCalls {
      try transaction.run(
        "UPDATE page SET forgottenCalls = ? WHERE sessionKey = ? AND id = ?", .utf8(try encoded(forgotten)), key, id)
    }
    for event in page.events {
      try transaction.run(
        """
        INSERT INTO pageEvent (sessionKey, pageID, sequence, action, text) VALUES (?, ?, ?, ?, ?)
        ON CONFLICT (sessionKey, pageID, sequence) DO UPDATE SET action = excluded.action, text = excluded.text
        """,
        key, id, .integer(event.sequence), .text(event.action), sealed(event.text, event.action))
    }
    for answer in page.answers {
      try transaction.run(
        """
        INSERT INTO pageAnswer (sessionKey, pageID, number, correlationID, action, text)
        VALUES (?, ?, ?, ?, ?, ?)
        ON CONFLICT (sessionKey, pageID, number) DO UPDATE
        SET correlationID = excluded.correlationID, action = excluded.action, text = excluded.text
        """,
        key, id, .integer(answer.number), .text(answer.correlationId), .text(answer.action),
        sealed(answer.text, answer.action))
    }
    if let oldest = page.oldestSequence {
      try transaction.run(
        "DELETE FROM pageEvent WHERE sessionKey = ? AND pageID = ? AND sequence < ?", key, id, .integer(oldest))
    }
    if let oldest = page.oldestAnswer {
      try transaction.run(
        "DELETE FROM pageAnswer WHERE sessionKey = ? AND pageID = ? AND number < ?", key, id, .integer(oldest))
    }
  }

  /// Encodes a value as JSON text.
  package static func encoded(_ value: some Encodable) throws -> [UInt8] {
    Array(try JSONEncoder().encode(value))
  }

  /// Formats a time for the database, in UTC, such as `2026-01-31 12:00:00.250`. Do not pass a `Date` to GRDB: it would format it with ICU,
  /// whose data the program does not contain.
  package static func time(_ date: Date) -> String { date.formatted(timeFormat) }

  /// Parses a time of the database; nil for any other text.
  static func date(_ text: String) -> Date? { try? Date(text, strategy: timeFormat) }

  private static let timeFormat = Date.ISO8601FormatStyle.iso8601.year().month().day().dateTimeSeparator(.space)
    .time(includingFractionalSeconds: true)

  // MARK: Reading

  /// Reads a session; nil if it is unknown.
  ///
  /// - Throws: `DecodingError` if it is damaged.
  static func read(
    _ key: String, _ stateTypes: [any BridgeState.Type], _ seal: StoreSeal?, from transaction: any StoreTransaction
  ) throws -> StoredSession? {
    let columns = (["profile", "usedAt", "isLasting", "bridges"] + stateTypes.map { $0.column }).joined(separator: ", ")
    guard let row = try transaction.row("SELECT \(columns) FROM session WHERE key = ?", .text(key)) else { return nil }
    // All others at once: a wait for the database's answer takes longer than such a query.
    let queriesOfStates = stateTypes.map { $0.queries(of: key) }
    var answers = try transaction.rows(ofAll: queriesOfStates.joined() + pageQueries(of: key))[...]
    func read<State: BridgeState>(_ type: State.Type, _ column: StoreValue, _ count: Int) throws -> any BridgeState {
      defer { answers.removeFirst(count) }
      return try State.read(
        column: Data(column.requiredBytes()), rows: Array(answers.prefix(count)), from: transaction)
    }
    let states = try stateTypes.indices.map { index in
      let type = stateTypes[index]
      return try read(type, row[index + 4], queriesOfStates[index].count)
    }
    let profile = try row[0].data.map { try JSONDecoder().decode(SessionProfile.self, from: $0) } ?? SessionProfile()
    let sections = row[3].bytes.flatMap { bytes in seal.map { $0.open(bytes) } ?? bytes }
    return StoredSession(
      record: SessionRecord(
        states, profile: try profile.opened(by: seal),
        ownBridges: try sections.map { try JSONDecoder().decode(StoredBridges.self, from: Data($0)) } ?? StoredBridges()
      ),
      pages: try pages(Array(answers), seal),
      lastUse: date(try row[1].text()),
      isLasting: try row[2].integer() == 1
    )
  }

  /// The queries for the pages of a session, their events and their answers.
  private static func pageQueries(of sessionKey: String) -> [StoreQuery] {
    let key = StoreValue.text(sessionKey)
    return [
      StoreQuery("SELECT id, lastSequence, forgottenCalls FROM page WHERE sessionKey = ?", key),
      StoreQuery(
        "SELECT pageID, sequence, action, text FROM pageEvent WHERE sessionKey = ? ORDER BY pageID, sequence", key),
      StoreQuery(
        """
        SELECT pageID, number, correlationID, action, text FROM pageAnswer
        WHERE sessionKey = ? ORDER BY pageID, number
        """, key),
    ]
  }

  /// Reads the answers to ``pageQueries(of:)``.
  private static func pages(_ rows: [[[StoreValue]]], _ seal: StoreSeal?) throws -> [String: PageRecord] {
    func opened(_ text: [UInt8]) -> [UInt8]? { seal.map { $0.open(text) } ?? text }
    var events: [String: [PageChange.Event]] = [:]
    for row in rows[1] {
      guard let text = opened(try row[3].requiredBytes()) else { continue }
      let event = try PageChange.Event(sequence: row[1].integer(), action: row[2].text(), text: text)
      events[try row[0].text(), default: []].append(event)
    }
    var answers: [String: [PageChange.Answer]] = [:]
    for row in rows[2] {
      guard let text = opened(try row[4].requiredBytes()) else { continue }
      let answer = try PageChange.Answer(
        number: row[1].integer(), correlationId: row[2].text(), action: row[3].text(), text: text)
      answers[try row[0].text(), default: []].append(answer)
    }
    var pages: [String: PageRecord] = [:]
    for row in rows[0] {
      let id = try row[0].text()
      pages[id] = PageRecord(
        lastSequence: try row[1].integer(), events: events[id] ?? [], answers: answers[id] ?? [],
        forgottenCalls: try row[2].data.map { try JSONDecoder().decode(EvictedCalls.self, from: $0) }
          ?? EvictedCalls())
    }
    return pages
  }

  /// Renames a damaged session to a key that no cookie can have, so that a new session can take its place.
  static func setAside(_ key: String, in transaction: any StoreTransaction) throws {
    try transaction.run(
      "UPDATE session SET key = ? WHERE key = ?", .text("damaged \(UUID().uuidString) \(key)"), .text(key))
  }
}
