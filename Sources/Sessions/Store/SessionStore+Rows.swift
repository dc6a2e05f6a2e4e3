import BridgeRuntime
import Essentials
import GRDB
import OnsideKit

extension SessionStore {
  // MARK: Writing

  static func write(_ change: SessionChange, to database: Database) throws {
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
    let onside = record.onside
    let former = change.former?.onside
    if change.isLastingAnew || !hasSameRow(change.former, record) {
      try database.run(
        """
        INSERT INTO session (key, onside, profile, usedAt, isLasting) VALUES (?, ?, ?, ?, ?)
        ON CONFLICT (key) DO UPDATE
        SET onside = excluded.onside, profile = excluded.profile, usedAt = excluded.usedAt,
          isLasting = excluded.isLasting
        """,
        .text(change.key), .blob(try encoded(withoutRows(onside))), .blob(try encoded(record.profile)),
        .text(time(Date())), .integer(change.isLasting ? 1 : 0))
    }
    if former?.launch != onside.launch || former?.formerLaunch != onside.formerLaunch {
      try database.run(
        "UPDATE session SET launch = ?, formerLaunch = ? WHERE key = ?",
        .utf8(try encoded(onside.launch)), try onside.formerLaunch.map { .utf8(try encoded($0)) } ?? .null,
        .text(change.key))
    }
    try write(former?.ledger.purchases, onside.ledger.purchases, of: change.key, to: database)
    try write(former?.transactions, onside.transactions, of: change.key, to: database)
  }

  /// Whether nothing has changed but what has rows or columns of its own.
  private static func hasSameRow(_ former: SessionRecord?, _ present: SessionRecord) -> Bool {
    guard let former, former.profile == present.profile else { return false }
    var onside = former.onside
    onside.ledger.purchases = present.onside.ledger.purchases
    onside.transactions = present.onside.transactions
    onside.launch = present.onside.launch
    onside.formerLaunch = present.onside.formerLaunch
    return onside == present.onside
  }

  /// What is kept of the store in the session's own row: all but what has rows or columns of its own.
  private static func withoutRows(_ onside: OnsideState) -> OnsideState {
    var short = onside
    short.ledger.purchases = []
    short.transactions = []
    short.launch = OnsideLaunchState()
    short.formerLaunch = nil
    return short
  }

  private static func write<Row: StoreRow>(
    _ former: SharedList<Row>?, _ present: SharedList<Row>, of sessionKey: String, to database: Database
  ) throws {
    let key = StoreValue.text(sessionKey)
    if former == nil { try database.run(Row.table.deleteAll, key) }
    let changes = RowChanges(from: former ?? [], to: present)
    for (_, row) in changes.written { try database.run(Row.table.insert, key, .text(row.rowID), .utf8(row.storedText)) }
    for id in changes.removed { try database.run(Row.table.delete, key, .text(id)) }
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

  private static func encoded(_ value: some Encodable) throws -> [UInt8] {
    Array(try JSONEncoder().encode(value))
  }

  /// A time as SQLite's functions and GRDB read it, such as `2026-01-31 12:00:00.250`. GRDB would write it with ICU.
  static func time(_ date: Date) -> String {
    date.formatted(
      .iso8601.year().month().day().dateTimeSeparator(.space).time(includingFractionalSeconds: true))
  }

  // MARK: Reading

  /// What is there of a session; nil for one that is not known. Throws `DecodingError` when it is damaged.
  static func read(_ key: String, from database: Database) throws -> StoredSession? {
    let sql = "SELECT onside, profile, launch, formerLaunch, usedAt FROM session WHERE key = ?"
    guard let row = try Row.fetchOne(database, sql: sql, arguments: [key]) else { return nil }
    let decoder = JSONDecoder()
    func decode<Value: Decodable>(_ type: Value.Type, _ column: String) throws -> Value? {
      let data: Data? = row[column]
      return try data.map { try decoder.decode(type, from: $0) }
    }
    guard var onside = try decode(OnsideState.self, "onside") else { return nil }
    onside.launch = try decode(OnsideLaunchState.self, "launch") ?? onside.launch
    onside.formerLaunch = try decode(OnsideLaunchState.self, "formerLaunch")
    func rows<Row: StoreRow & Decodable>() throws -> SharedList<Row> {
      let texts = try Data.fetchAll(database, sql: Row.table.select, arguments: [key])
      return SharedList(try texts.map { try decoder.decode(Row.self, from: $0) })
    }
    onside.ledger.purchases = try rows()
    onside.transactions = try rows()
    let profile = try decode(SessionProfile.self, "profile") ?? SessionProfile()
    return StoredSession(
      record: SessionRecord(onside: onside, profile: profile),
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

  /// Gives a damaged session a key that no cookie has, so that another one can begin in its place.
  static func setAside(_ key: String, in database: Database) throws {
    try database.execute(
      sql: "UPDATE session SET key = ? WHERE key = ?",
      arguments: ["damaged \(UUID().uuidString) \(key)", key]
    )
  }
}
