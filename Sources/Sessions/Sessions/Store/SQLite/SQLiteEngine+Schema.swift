import Essentials
import GRDB

extension SQLiteEngine {
  /// The schema and its migrations. A released migration never changes: files that it has created exist.
  static var migrator: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("sessions") { database in
      try database.create(table: "session") { table in
        table.primaryKey("id", .text)
        table.column("onside", .blob).notNull()
        table.column("changedAt", .datetime).notNull()
      }
    }
    migrator.registerMigration("profiles and keys") { database in
      try database.alter(table: "session") { table in
        table.rename(column: "id", to: "key")
        table.add(column: "profile", .blob)
      }
      // The keys of rows were the values of cookies.
      for value in try String.fetchAll(database, sql: "SELECT key FROM session") {
        try database.execute(
          sql: "UPDATE session SET key = ? WHERE key = ?",
          arguments: [SessionKey(cookieValue: value).rawValue, value]
        )
      }
    }
    migrator.registerMigration("purchases, parts and pages") { database in
      try database.alter(table: "session") { table in
        table.add(column: "launch", .text)
        table.add(column: "formerLaunch", .text)
      }
      try createSessionTables(database)
      try createPageTables(database)
      try database.execute(
        sql: """
          INSERT INTO purchase (sessionKey, id, content)
          SELECT session.key, json_extract(purchase.value, '$.id'), purchase.value
          FROM session, json_each(CAST(session.onside AS TEXT), '$.ledger.purchases') AS purchase
          """
      )
      try database.execute(
        sql: """
          UPDATE session
          SET onside = CAST(json_set(CAST(onside AS TEXT), '$.ledger.purchases', json('[]')) AS BLOB)
          """
      )
    }
    // Nothing was ever written to this table. The cookies are in the profile.
    migrator.registerMigration("no parts") { try $0.drop(table: "part") }
    migrator.registerMigration("transactions") { database in
      try createSessionRows("queuedTransaction", database)
      try database.execute(
        sql: """
          INSERT INTO queuedTransaction (sessionKey, id, content)
          SELECT session.key, json_extract(entry.value, '$.transaction.id'), entry.value
          FROM session, json_each(CAST(session.onside AS TEXT), '$.transactions') AS entry
          """
      )
      try database.execute(
        sql: """
          UPDATE session
          SET onside = CAST(json_set(CAST(onside AS TEXT), '$.transactions', json('[]')) AS BLOB)
          """
      )
    }
    // A page belongs to its session. The same id in two sessions is two pages.
    migrator.registerMigration("pages by session") { database in
      for name in ["page", "pageEvent", "pageAnswer"] {
        try database.rename(table: name, to: "former\(name)")
      }
      try createPagesOfSessions(database)
      try database.execute(
        sql: """
          INSERT INTO page (sessionKey, id, lastSequence) SELECT sessionKey, id, lastSequence FROM formerpage;
          INSERT INTO pageEvent (sessionKey, pageID, sequence, action, text)
          SELECT page.sessionKey, pageID, sequence, action, text FROM formerpageEvent JOIN page ON page.id = pageID;
          INSERT INTO pageAnswer (sessionKey, pageID, number, correlationID, action, text)
          SELECT page.sessionKey, pageID, number, correlationID, action, text
          FROM formerpageAnswer JOIN page ON page.id = pageID;
          """
      )
      for name in ["pageAnswer", "pageEvent", "page"] { try database.drop(table: "former\(name)") }
    }
    // From here on, sessions are deleted: those without lasting changes when their pages end, others after some time without use.
    migrator.registerMigration("use of sessions") { database in
      try database.alter(table: "session") { table in
        table.rename(column: "changedAt", to: "usedAt")
        table.add(column: "isLasting", .boolean).notNull().defaults(to: true)
      }
      // Before, the column had the time of the last change. A session that is used but never changed must not be deleted.
      try database.execute(sql: "UPDATE session SET usedAt = ?", arguments: [SessionStore.time(Date())])
      try database.create(indexOn: "session", columns: ["isLasting", "usedAt"])
    }
    // Sessions can share a world, with what belongs to accounts. Existing sessions share none, and keep their orders.
    migrator.registerMigration("worlds") { try createWorldTables($0) }
    // An answer outlives its session, which the request may have deleted.
    migrator.registerMigration("answers of the control API") { database in
      try database.create(table: "controlAnswer") { table in
        table.column("id", .text).notNull().unique()
        table.column("request", .blob).notNull()
        table.column("endsAt", .integer).notNull()
        table.column("answer", .blob).notNull()
      }
    }
    // JSON; NULL for a session without bridges of its own.
    migrator.registerMigration("bridges of sessions") { database in
      try database.alter(table: "session") { $0.add(column: "bridges", .blob) }
    }
    migrator.registerMigration("snapshots") { database in
      try database.create(table: "snapshot") { table in
        table.primaryKey("name", .text)
        table.column("content", .blob).notNull()
        table.column("usedAt", .datetime).notNull()
      }
    }
    return migrator
  }

  private static func createWorldTables(_ database: Database) throws {
    try database.create(table: "world") { table in
      table.primaryKey("name", .text)
      table.column("version", .text).notNull()
      table.column("content", .text).notNull()
    }
    try database.create(table: "worldPurchase") { table in
      table.column("worldName", .text).notNull().references("world", onDelete: .cascade)
      table.column("id", .text).notNull().indexed()
      table.column("content", .text).notNull()
      table.primaryKey(["worldName", "id"])
    }
    try database.alter(table: "session") { $0.add(column: "world", .text).indexed() }
    // The last session of a world deletes the world.
    try database.execute(
      sql: """
        CREATE TRIGGER worldEnds AFTER DELETE ON session WHEN OLD.world IS NOT NULL BEGIN
          DELETE FROM world
          WHERE name = OLD.world AND NOT EXISTS (SELECT 1 FROM session WHERE world = OLD.world);
        END
        """)
  }

  /// Creates a table with rows of sessions. Their order is that of `rowid`.
  private static func createSessionRows(_ name: String, _ database: Database) throws {
    try database.create(table: name) { table in
      table.column("sessionKey", .text).notNull().references("session", onDelete: .cascade, onUpdate: .cascade)
      table.column("id", .text).notNull().indexed()
      table.column("content", .text).notNull()
      table.primaryKey(["sessionKey", "id"])
    }
  }

  private static func createSessionTables(_ database: Database) throws {
    try createSessionRows("purchase", database)
    try database.create(table: "part") { table in
      table.column("sessionKey", .text).notNull().references("session", onDelete: .cascade, onUpdate: .cascade)
      table.column("name", .text).notNull()
      table.column("content", .blob).notNull()
      table.primaryKey(["sessionKey", "name"])
    }
  }

  private static func createPageTables(_ database: Database) throws {
    try database.create(table: "page") { table in
      table.primaryKey("id", .text)
      table.column("sessionKey", .text).notNull().indexed()
        .references("session", onDelete: .cascade, onUpdate: .cascade)
      table.column("lastSequence", .integer).notNull()
    }
    try database.create(table: "pageEvent") { table in
      table.column("pageID", .text).notNull().references("page", onDelete: .cascade)
      table.column("sequence", .integer).notNull()
      table.column("action", .text).notNull()
      table.column("text", .blob).notNull()
      table.primaryKey(["pageID", "sequence"])
    }
    try database.create(table: "pageAnswer") { table in
      table.column("pageID", .text).notNull().references("page", onDelete: .cascade)
      table.column("number", .integer).notNull()
      table.column("correlationID", .text).notNull()
      table.column("action", .text).notNull()
      table.column("text", .blob).notNull()
      table.primaryKey(["pageID", "number"])
    }
  }

  private static func createPagesOfSessions(_ database: Database) throws {
    try database.create(table: "page") { table in
      table.column("sessionKey", .text).notNull().references("session", onDelete: .cascade, onUpdate: .cascade)
      table.column("id", .text).notNull()
      table.column("lastSequence", .integer).notNull()
      // JSON; NULL until an answer is deleted.
      table.column("forgottenCalls", .text)
      table.primaryKey(["sessionKey", "id"])
    }
    try createPageRows("pageEvent", number: "sequence", database) { _ in }
    try createPageRows("pageAnswer", number: "number", database) { $0.column("correlationID", .text).notNull() }
  }

  /// Creates a table with numbered rows of pages.
  private static func createPageRows(
    _ name: String, number: String, _ database: Database, _ more: (TableDefinition) -> Void
  ) throws {
    try database.create(table: name) { table in
      table.column("sessionKey", .text).notNull()
      table.column("pageID", .text).notNull()
      table.column(number, .integer).notNull()
      more(table)
      table.column("action", .text).notNull()
      table.column("text", .blob).notNull()
      table.primaryKey(["sessionKey", "pageID", number])
      table.foreignKey(
        ["sessionKey", "pageID"], references: "page", columns: ["sessionKey", "id"], onDelete: .cascade,
        onUpdate: .cascade)
    }
  }
}
