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

  /// Reads sessions, by their keys. Unknown ones are missing; for damaged ones, the result is a `DecodingError`.
  static func read(
    _ keys: [String], _ stateTypes: [any BridgeState.Type], _ seal: StoreSeal?, from transaction: any StoreTransaction
  ) throws -> [String: Result<StoredSession, any Error>] {
    let columns =
      ["key", "profile", "usedAt", "isLasting", "bridges"] + stateTypes.flatMap { [$0.column] + $0.otherColumns }
    let found = try transaction.rows(
      ofAll: [StoreQuery("SELECT \(columns.joined(separator: ", ")) FROM session", "key", in: keys)])[0]
    if found.isEmpty { return [:] }
    let known = try found.map { try $0[0].text() }
    // All others at once: a wait for the database's answer takes longer than such a query.
    let tables = try transaction.rows(
      ofAll: stateTypes.flatMap { $0.tables }.map { $0.rows(of: known) } + pageQueries(of: known)
    )
    .map { try Dictionary(grouping: $0) { try $0.last?.text() ?? "" } }
    var sessions: [String: Result<StoredSession, any Error>] = [:]
    for (key, row) in zip(known, found) {
      do {
        sessions[key] = .success(
          try session(Array(row.dropFirst()), tables.map { $0[key] ?? [] }, stateTypes, seal, from: transaction))
      } catch let error as DecodingError {
        sessions[key] = .failure(error)
      }
    }
    return sessions
  }

  /// Reads a session from its row and its rows in other tables.
  ///
  /// - Throws: `DecodingError` if it is damaged.
  private static func session(
    _ row: [StoreValue], _ tables: [[[StoreValue]]], _ stateTypes: [any BridgeState.Type], _ seal: StoreSeal?,
    from transaction: any StoreTransaction
  ) throws -> StoredSession {
    var columns = row[4...]
    var tables = tables[...]
    let states = try stateTypes.map { type in
      let own = columns.prefix(1 + type.otherColumns.count)
      let rows = tables.prefix(type.tables.count)
      columns = columns[own.endIndex...]
      tables = tables[rows.endIndex...]
      return try type.read(
        column: Data(row[own.startIndex].requiredBytes()), others: Array(own.dropFirst()), rows: Array(rows),
        from: transaction) as any BridgeState
    }
    let profile = try row[0].data.map { try JSONDecoder().decode(SessionProfile.self, from: $0) } ?? SessionProfile()
    let sections = row[3].bytes.flatMap { bytes in seal.map { $0.open(bytes) } ?? bytes }
    return StoredSession(
      record: SessionRecord(
        states, profile: try profile.opened(by: seal),
        ownBridges: try sections.map { try JSONDecoder().decode(StoredBridges.self, from: Data($0)) } ?? StoredBridges()
      ),
      pages: try pages(Array(tables), seal),
      lastUse: date(try row[1].text()),
      isLasting: try row[2].integer() == 1
    )
  }

  /// The queries for the pages of sessions, their events and their answers. The key of the session is the last column.
  private static func pageQueries(of sessionKeys: [String]) -> [StoreQuery] {
    [
      StoreQuery("SELECT id, lastSequence, forgottenCalls, sessionKey FROM page", "sessionKey", in: sessionKeys),
      StoreQuery(
        "SELECT pageID, sequence, action, text, sessionKey FROM pageEvent", "sessionKey", in: sessionKeys,
        "ORDER BY sessionKey, pageID, sequence"),
      StoreQuery(
        "SELECT pageID, number, correlationID, action, text, sessionKey FROM pageAnswer", "sessionKey",
        in: sessionKeys, "ORDER BY sessionKey, pageID, number"),
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
