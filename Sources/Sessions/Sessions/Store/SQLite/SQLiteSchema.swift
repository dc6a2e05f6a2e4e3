import GRDB

/// The tables in SQLite.
enum SQLiteSchema {
  /// Creates the tables in an empty file. Checks those of any other file.
  ///
  /// - Throws: ``StateError`` if this program cannot use the tables; `DatabaseError`.
  static func prepare(_ database: DatabasePool, _ path: String) throws {
    let isEmpty = try database.read { database in
      let names = try String.fetchSet(database, sql: "SELECT name FROM sqlite_master")
      if names.isEmpty { return true }
      let schema = names.contains("schemaVersion") ? try StoreSchema(from: SQLiteTransaction(database)) : nil
      if schema?.isUsable == true { return false }
      throw StoreSchema.unusable(path, schema, removal: "Move the file away")
    }
    guard isEmpty else { return }
    try database.write { database in
      for statement in statements { try database.execute(sql: statement) }
      try StoreSchema.write(to: SQLiteTransaction(database))
    }
  }

  private static let statements: [String] = [
    StoreSchema.statement,
    // The columns from `profile` to `bridges` are JSON. `bridges` is NULL for a session without bridges of its own.
    """
    CREATE TABLE session (
      key TEXT PRIMARY KEY NOT NULL,
      onside BLOB NOT NULL,
      usedAt TEXT NOT NULL,
      isLasting INTEGER NOT NULL DEFAULT 1,
      world TEXT,
      profile BLOB,
      launch BLOB,
      formerLaunch BLOB,
      bridges BLOB
    )
    """,
    "CREATE INDEX sessionByUse ON session (isLasting, usedAt)",
    "CREATE INDEX sessionByWorld ON session (world)",
    rows("purchase"), "CREATE INDEX purchaseByID ON purchase (id)",
    rows("queuedTransaction"),
    // `forgottenCalls` is JSON; NULL until an answer is deleted.
    """
    CREATE TABLE page (
      sessionKey TEXT NOT NULL REFERENCES session ON DELETE CASCADE ON UPDATE CASCADE,
      id TEXT NOT NULL,
      lastSequence INTEGER NOT NULL,
      forgottenCalls TEXT,
      PRIMARY KEY (sessionKey, id)
    )
    """,
    """
    CREATE TABLE pageEvent (
      sessionKey TEXT NOT NULL,
      pageID TEXT NOT NULL,
      sequence INTEGER NOT NULL,
      action TEXT NOT NULL,
      text BLOB NOT NULL,
      PRIMARY KEY (sessionKey, pageID, sequence),
      FOREIGN KEY (sessionKey, pageID) REFERENCES page ON DELETE CASCADE ON UPDATE CASCADE
    )
    """,
    """
    CREATE TABLE pageAnswer (
      sessionKey TEXT NOT NULL,
      pageID TEXT NOT NULL,
      number INTEGER NOT NULL,
      correlationID TEXT NOT NULL,
      action TEXT NOT NULL,
      text BLOB NOT NULL,
      PRIMARY KEY (sessionKey, pageID, number),
      FOREIGN KEY (sessionKey, pageID) REFERENCES page ON DELETE CASCADE ON UPDATE CASCADE
    )
    """,
    "CREATE TABLE world (name TEXT PRIMARY KEY NOT NULL, version TEXT NOT NULL, content TEXT NOT NULL)",
    """
    CREATE TABLE worldPurchase (
      worldName TEXT NOT NULL REFERENCES world ON DELETE CASCADE,
      id TEXT NOT NULL,
      content TEXT NOT NULL,
      PRIMARY KEY (worldName, id)
    )
    """,
    "CREATE INDEX worldPurchaseByID ON worldPurchase (id)",
    // The last session of a world deletes the world.
    """
    CREATE TRIGGER worldEnds AFTER DELETE ON session WHEN OLD.world IS NOT NULL BEGIN
      DELETE FROM world WHERE name = OLD.world AND NOT EXISTS (SELECT 1 FROM session WHERE world = OLD.world);
    END
    """,
    // The snapshots that tests have named.
    "CREATE TABLE snapshot (name TEXT PRIMARY KEY NOT NULL, content BLOB NOT NULL, usedAt TEXT NOT NULL)",
  ]

  /// Creates a table with rows of sessions, which are read in the order of `rowid`.
  private static func rows(_ name: String) -> String {
    """
    CREATE TABLE \(name) (
      sessionKey TEXT NOT NULL REFERENCES session ON DELETE CASCADE ON UPDATE CASCADE,
      id TEXT NOT NULL,
      content TEXT NOT NULL,
      PRIMARY KEY (sessionKey, id)
    )
    """
  }
}
