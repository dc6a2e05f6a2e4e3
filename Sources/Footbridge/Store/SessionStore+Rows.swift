import Foundation
import GRDB
import Onside

extension SessionStore {
  // MARK: Writing

  static func write(_ change: SessionChange, to database: Database) throws {
    guard let record = change.record else {
      return try execute("DELETE FROM session WHERE key = ?", [change.key], in: database)
    }
    try write(record, in: change, to: database)
    for page in change.pages { try write(page, of: change.key, to: database) }
    for id in change.endedPages { try execute("DELETE FROM page WHERE id = ?", [id], in: database) }
  }

  private static func write(_ record: SessionRecord, in change: SessionChange, to database: Database) throws {
    let onside = record.onside
    let former = change.former?.onside
    let short = withoutRows(onside)
    if former.map(withoutRows) != short || change.former?.profile != record.profile {
      let encoder = JSONEncoder()
      try execute(
        """
        INSERT INTO session (key, onside, profile, changedAt) VALUES (?, ?, ?, ?)
        ON CONFLICT (key) DO UPDATE
        SET onside = excluded.onside, profile = excluded.profile, changedAt = excluded.changedAt
        """,
        [change.key, try encoder.encode(short), try encoder.encode(record.profile), Date()], in: database)
    }
    if former?.launch != onside.launch || former?.formerLaunch != onside.formerLaunch {
      try execute(
        "UPDATE session SET launch = ?, formerLaunch = ? WHERE key = ?",
        [try text(onside.launch), try onside.formerLaunch.map(text), change.key], in: database)
    }
    if former == nil {
      for table in ["purchase", "queuedTransaction"] {
        try execute("DELETE FROM \(table) WHERE sessionKey = ?", [change.key], in: database)
      }
    }
    try write(
      RowChanges(from: former?.ledger.purchases ?? [], to: onside.ledger.purchases, id: \.id),
      id: \.id, of: change.key, into: "purchase", database)
    try write(
      RowChanges(from: former?.transactions ?? [], to: onside.transactions, id: \.transaction.id),
      id: \.transaction.id, of: change.key, into: "queuedTransaction", database)
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

  private static func write<Element: Encodable & Equatable>(
    _ changes: RowChanges<Element>,
    id: (Element) -> String,
    of sessionKey: String,
    into table: String,
    _ database: Database
  ) throws {
    for element in changes.written {
      try execute(
        """
        INSERT INTO \(table) (sessionKey, id, content) VALUES (?, ?, ?)
        ON CONFLICT (sessionKey, id) DO UPDATE SET content = excluded.content
        """,
        [sessionKey, id(element), try text(element)], in: database)
    }
    for id in changes.removed {
      try execute("DELETE FROM \(table) WHERE sessionKey = ? AND id = ?", [sessionKey, id], in: database)
    }
  }

  private static func write(_ page: PageJournal, of sessionKey: String, to database: Database) throws {
    let id = page.pageID
    try execute(
      """
      INSERT INTO page (id, sessionKey, lastSequence) VALUES (?, ?, ?)
      ON CONFLICT (id) DO UPDATE SET sessionKey = excluded.sessionKey, lastSequence = excluded.lastSequence
      """,
      [id, sessionKey, page.lastSequence], in: database)
    for event in page.events {
      try execute(
        "INSERT OR REPLACE INTO pageEvent (pageID, sequence, action, text) VALUES (?, ?, ?, ?)",
        [id, event.sequence, event.action, Data(event.text)], in: database)
    }
    for answer in page.answers {
      try execute(
        "INSERT OR REPLACE INTO pageAnswer (pageID, number, correlationID, action, text) VALUES (?, ?, ?, ?, ?)",
        [id, answer.number, answer.correlationId, answer.action, Data(answer.text)], in: database)
    }
    try execute("DELETE FROM pageEvent WHERE pageID = ? AND sequence < ?", [id, page.oldestSequence], in: database)
    try execute("DELETE FROM pageAnswer WHERE pageID = ? AND number < ?", [id, page.oldestAnswer], in: database)
  }

  /// Runs a statement that was prepared before, if it was: preparing takes longer than running.
  private static func execute(
    _ sql: String, _ arguments: StatementArguments, in database: Database
  ) throws {
    try database.cachedStatement(sql: sql).execute(arguments: arguments)
  }

  private static func text(_ value: some Encodable) throws -> String {
    String(decoding: try JSONEncoder().encode(value), as: UTF8.self)
  }

  // MARK: Reading

  /// What is there of a session; nil for one that is not known. Throws `DecodingError` when it is damaged.
  static func read(_ key: String, from database: Database) throws -> StoredSession? {
    let sql = "SELECT onside, profile, launch, formerLaunch FROM session WHERE key = ?"
    guard let row = try Row.fetchOne(database, sql: sql, arguments: [key]) else { return nil }
    let decoder = JSONDecoder()
    func decode<Value: Decodable>(_ type: Value.Type, _ column: String) throws -> Value? {
      let data: Data? = row[column]
      return try data.map { try decoder.decode(type, from: $0) }
    }
    guard var onside = try decode(OnsideState.self, "onside") else { return nil }
    onside.launch = try decode(OnsideLaunchState.self, "launch") ?? onside.launch
    onside.formerLaunch = try decode(OnsideLaunchState.self, "formerLaunch")
    func rows<Element: Decodable>(_ type: Element.Type, in table: String) throws -> [Element] {
      let sql = "SELECT content FROM \(table) WHERE sessionKey = ? ORDER BY rowid"
      return try Data.fetchAll(database, sql: sql, arguments: [key]).map { try decoder.decode(type, from: $0) }
    }
    onside.ledger.purchases = try rows(OnsidePurchase.self, in: "purchase")
    onside.transactions = try rows(QueuedTransaction.self, in: "queuedTransaction")
    let profile = try decode(SessionProfile.self, "profile") ?? SessionProfile()
    return StoredSession(
      record: SessionRecord(onside: onside, profile: profile),
      pages: try pages(of: key, database)
    )
  }

  private static func pages(of key: String, _ database: Database) throws -> [String: PageRecord] {
    var pages: [String: PageRecord] = [:]
    let sql = "SELECT id, lastSequence FROM page WHERE sessionKey = ?"
    for row in try Row.fetchAll(database, sql: sql, arguments: [key]) {
      let id: String = row["id"]
      let events = try Row.fetchAll(
        database,
        sql: "SELECT sequence, action, text FROM pageEvent WHERE pageID = ? ORDER BY sequence",
        arguments: [id]
      ).map { PageJournal.Event(sequence: $0["sequence"], action: $0["action"], text: bytes($0["text"])) }
      let answers = try Row.fetchAll(
        database,
        sql: "SELECT number, correlationID, action, text FROM pageAnswer WHERE pageID = ? ORDER BY number",
        arguments: [id]
      ).map {
        PageJournal.Answer(
          number: $0["number"],
          correlationId: $0["correlationID"],
          action: $0["action"],
          text: bytes($0["text"])
        )
      }
      pages[id] = PageRecord(lastSequence: row["lastSequence"], events: events, answers: answers)
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
