import BridgeRuntime
import Essentials
import GRDB

extension SessionStore {
  // MARK: Writing

  static func write(_ change: SessionChange, to database: Database) throws {
    try write(change.answers, to: database)
    guard let record = change.record else {
      return try database.run("DELETE FROM session WHERE key = ?", .text(change.key))
    }
    try write(record, in: change, to: database)
    // A page that has ended may have come back since.
    for id in change.endedPages {
      try database.run("DELETE FROM page WHERE sessionKey = ? AND id = ?", .text(change.key), .text(id))
    }
    for page in change.pages { try write(page, of: change.key, to: database) }
  }

  private static func write(_ record: SessionRecord, in change: SessionChange, to database: Database) throws {
    if change.isLastingAnew || !hasSameRow(change.former, record) {
      var columns = ["key", "profile", "usedAt", "isLasting"]
      var values: [StoreValue] = [
        .text(change.key), .blob(try encoded(record.profile)), .text(time(Date())),
        .integer(change.isLasting ? 1 : 0),
      ]
      for state in record.states {
        columns.append(type(of: state).column)
        values.append(.blob(try state.columnContent()))
      }
      try database.run(
        """
        INSERT INTO session (\(columns.joined(separator: ", "))) VALUES (\(columns.map { _ in "?" }.joined(separator: ", ")))
        ON CONFLICT (key) DO UPDATE
        SET \(columns.dropFirst().map { "\($0) = excluded.\($0)" }.joined(separator: ", "))
        """,
        values[...])
    }
    func writeRows<State: BridgeState>(_ state: State) throws {
      try state.writeRows(since: change.former?[State.self], of: change.key, to: database)
    }
    for state in record.states { try writeRows(state) }
  }

  /// Whether only values with their own rows or columns have changed.
  private static func hasSameRow(_ former: SessionRecord?, _ present: SessionRecord) -> Bool {
    guard let former, former.profile == present.profile else { return false }
    func hasSameColumn<State: BridgeState>(_ state: State) -> Bool {
      former[State.self].map { state.hasSameColumn(as: $0) } ?? false
    }
    return present.states.allSatisfy { hasSameColumn($0) }
  }

  private static func write(_ page: PageChange, of sessionKey: String, to database: Database) throws {
    let key = StoreValue.text(sessionKey)
    let id = StoreValue.text(page.pageID)
    if let lastSequence = page.lastSequence {
      try database.run(
        """
        INSERT INTO page (sessionKey, id, lastSequence) VALUES (?, ?, ?)
        ON CONFLICT (sessionKey, id) DO UPDATE SET lastSequence = excluded.lastSequence
        """,
        key, id, .integer(lastSequence))
    }
    if let forgotten = page.forgottenCalls {
      try database.run(
        "UPDATE page SET forgottenCalls = ? WHERE sessionKey = ? AND id = ?", .utf8(try encoded(forgotten)), key, id)
    }
    for event in page.events {
      try database.run(
        "INSERT OR REPLACE INTO pageEvent (sessionKey, pageID, sequence, action, text) VALUES (?, ?, ?, ?, ?)",
        key, id, .integer(event.sequence), .text(event.action), .blob(event.text))
    }
    for answer in page.answers {
      try database.run(
        """
        INSERT OR REPLACE INTO pageAnswer (sessionKey, pageID, number, correlationID, action, text)
        VALUES (?, ?, ?, ?, ?, ?)
        """,
        key, id, .integer(answer.number), .text(answer.correlationId), .text(answer.action), .blob(answer.text))
    }
    if let oldest = page.oldestSequence {
      try database.run(
        "DELETE FROM pageEvent WHERE sessionKey = ? AND pageID = ? AND sequence < ?", key, id, .integer(oldest))
    }
    if let oldest = page.oldestAnswer {
      try database.run(
        "DELETE FROM pageAnswer WHERE sessionKey = ? AND pageID = ? AND number < ?", key, id, .integer(oldest))
    }
  }

  /// A value as JSON text.
  static func encoded(_ value: some Encodable) throws -> [UInt8] {
    Array(try JSONEncoder().encode(value))
  }

  /// A time as SQLite's functions and GRDB read it, such as `2026-01-31 12:00:00.250`. Do not give GRDB a `Date`:
  /// it would write it with ICU, whose data the program does not have.
  static func time(_ date: Date) -> String {
    date.formatted(
      .iso8601.year().month().day().dateTimeSeparator(.space).time(includingFractionalSeconds: true))
  }

  // MARK: Reading

  /// The stored part of a session; nil for an unknown session. Throws `DecodingError` if it is damaged.
  static func read(
    _ key: String, _ stateTypes: [any BridgeState.Type], from database: Database
  ) throws -> StoredSession? {
    let columns = (["profile", "usedAt"] + stateTypes.map { $0.column }).joined(separator: ", ")
    let sql = "SELECT \(columns) FROM session WHERE key = ?"
    guard let row = try Row.fetchOne(database, sql: sql, arguments: [key]) else { return nil }
    func read<State: BridgeState>(_ type: State.Type) throws -> any BridgeState {
      try State.read(column: row[State.column], of: key, from: database)
    }
    let states = try stateTypes.map { try read($0) }
    let profile: Data? = row["profile"]
    return StoredSession(
      record: SessionRecord(
        states, profile: try profile.map { try JSONDecoder().decode(SessionProfile.self, from: $0) } ?? SessionProfile()
      ),
      pages: try pages(of: key, database),
      lastUse: row["usedAt"]
    )
  }

  private static func pages(of key: String, _ database: Database) throws -> [String: PageRecord] {
    var pages: [String: PageRecord] = [:]
    let sql = "SELECT id, lastSequence, forgottenCalls FROM page WHERE sessionKey = ?"
    for row in try Row.fetchAll(database, sql: sql, arguments: [key]) {
      let id: String = row["id"]
      let events = try Row.fetchAll(
        database,
        sql: "SELECT sequence, action, text FROM pageEvent WHERE sessionKey = ? AND pageID = ? ORDER BY sequence",
        arguments: [key, id]
      ).map { PageChange.Event(sequence: $0["sequence"], action: $0["action"], text: bytes($0["text"])) }
      let answers = try Row.fetchAll(
        database,
        sql: """
          SELECT number, correlationID, action, text FROM pageAnswer
          WHERE sessionKey = ? AND pageID = ? ORDER BY number
          """,
        arguments: [key, id]
      ).map {
        PageChange.Answer(
          number: $0["number"],
          correlationId: $0["correlationID"],
          action: $0["action"],
          text: bytes($0["text"])
        )
      }
      let forgotten: Data? = row["forgottenCalls"]
      pages[id] = PageRecord(
        lastSequence: row["lastSequence"], events: events, answers: answers,
        forgottenCalls: try forgotten.map { try JSONDecoder().decode(ForgottenCalls.self, from: $0) }
          ?? ForgottenCalls())
    }
    return pages
  }

  private static func bytes(_ data: Data) -> [UInt8] { Array(data) }

  /// Moves a damaged session to a key that no cookie has, so that a new one can take its place.
  static func setAside(_ key: String, in database: Database) throws {
    try database.execute(
      sql: "UPDATE session SET key = ? WHERE key = ?",
      arguments: ["damaged \(UUID().uuidString) \(key)", key]
    )
  }
}
