import Foundation
import GRDB
import Onside

extension SessionStore {
  // MARK: Writing

  static func write(_ change: SessionChange, to database: Database) throws {
    guard let record = change.record else {
      return try database.execute(sql: "DELETE FROM session WHERE key = ?", arguments: [change.key])
    }
    try write(record, in: change, to: database)
    for page in change.pages { try write(page, of: change.key, to: database) }
    for id in change.endedPages { try database.execute(sql: "DELETE FROM page WHERE id = ?", arguments: [id]) }
  }

  private static func write(_ record: SessionRecord, in change: SessionChange, to database: Database) throws {
    let onside = record.onside
    var short = onside
    short.ledger.purchases = []
    short.launch = OnsideLaunchState()
    short.formerLaunch = nil
    let encoder = JSONEncoder()
    try database.execute(
      sql: """
        INSERT INTO session (key, onside, profile, changedAt) VALUES (?, ?, ?, ?)
        ON CONFLICT (key) DO UPDATE
        SET onside = excluded.onside, profile = excluded.profile, changedAt = excluded.changedAt
        """,
      arguments: [change.key, try encoder.encode(short), try encoder.encode(record.profile), Date()]
    )
    let former = change.former?.onside
    if former?.launch != onside.launch || former?.formerLaunch != onside.formerLaunch {
      try database.execute(
        sql: "UPDATE session SET launch = ?, formerLaunch = ? WHERE key = ?",
        arguments: [try text(onside.launch), try onside.formerLaunch.map(text), change.key]
      )
    }
    if former == nil {
      try database.execute(sql: "DELETE FROM purchase WHERE sessionKey = ?", arguments: [change.key])
    }
    let purchases = PurchaseChanges(from: former?.ledger.purchases ?? [], to: onside.ledger.purchases)
    for purchase in purchases.written {
      try database.execute(
        sql: """
          INSERT INTO purchase (sessionKey, id, content) VALUES (?, ?, ?)
          ON CONFLICT (sessionKey, id) DO UPDATE SET content = excluded.content
          """,
        arguments: [change.key, purchase.id, try text(purchase)]
      )
    }
    for id in purchases.removed {
      try database.execute(
        sql: "DELETE FROM purchase WHERE sessionKey = ? AND id = ?",
        arguments: [change.key, id]
      )
    }
  }

  private static func write(_ page: PageJournal, of sessionKey: String, to database: Database) throws {
    let id = page.pageID
    try database.execute(
      sql: """
        INSERT INTO page (id, sessionKey, lastSequence) VALUES (?, ?, ?)
        ON CONFLICT (id) DO UPDATE SET sessionKey = excluded.sessionKey, lastSequence = excluded.lastSequence
        """,
      arguments: [id, sessionKey, page.lastSequence]
    )
    for event in page.events {
      try database.execute(
        sql: "INSERT OR REPLACE INTO pageEvent (pageID, sequence, action, text) VALUES (?, ?, ?, ?)",
        arguments: [id, event.sequence, event.action, Data(event.text)]
      )
    }
    for answer in page.answers {
      try database.execute(
        sql: "INSERT OR REPLACE INTO pageAnswer (pageID, number, correlationID, action, text) VALUES (?, ?, ?, ?, ?)",
        arguments: [id, answer.number, answer.correlationId, answer.action, Data(answer.text)]
      )
    }
    try database.execute(
      sql: "DELETE FROM pageEvent WHERE pageID = ? AND sequence < ?",
      arguments: [id, page.oldestSequence]
    )
    try database.execute(
      sql: "DELETE FROM pageAnswer WHERE pageID = ? AND number < ?",
      arguments: [id, page.oldestAnswer]
    )
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
    onside.ledger.purchases = try Data.fetchAll(
      database,
      sql: "SELECT content FROM purchase WHERE sessionKey = ? ORDER BY rowid",
      arguments: [key]
    ).map { try decoder.decode(OnsidePurchase.self, from: $0) }
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
