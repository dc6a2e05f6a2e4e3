/// The schema in PostgreSQL and its migrations. A released migration never changes: databases that it has created exist.
enum PostgreSQLSchema {
  /// A step from one version of the schema to the next.
  struct Migration: Sendable {
    let name: String
    /// Whether servers of the previous version can still use the schema. Then an update can replace one server after the other.
    let isCompatible: Bool
    let statements: [String]
  }

  /// All steps, oldest first.
  static let migrations = [
    Migration(name: "sessions", isCompatible: false, statements: sessions),
    Migration(name: "replicas", isCompatible: false, statements: replicas),
    Migration(name: "usedTokens", isCompatible: true, statements: usedTokens),
    // `holder` is the replica that handles the request; NULL after it has answered.
    Migration(
      name: "answerHolder", isCompatible: true, statements: ["ALTER TABLE controlAnswer ADD COLUMN holder text"]),
    // JSON; NULL for a session without bridges of its own.
    Migration(name: "sessionBridges", isCompatible: true, statements: ["ALTER TABLE session ADD COLUMN bridges text"]),
    Migration(name: "snapshots", isCompatible: true, statements: snapshots),
    // See `Replica.markVersion`. Versions without this column read 2.
    Migration(
      name: "markVersions", isCompatible: true,
      statements: ["ALTER TABLE replica ADD COLUMN markVersion integer NOT NULL DEFAULT 2"]),
  ]

  /// Migrates the schema to this version. If several servers start at the same time, they take turns.
  ///
  /// - Throws: ``PostgreSQLError``; ``NewerSchema`` if a newer version of Footbridge has changed the schema, and this version cannot use it.
  static func migrate(
    _ connection: PostgreSQLConnection, schema: String, _ migrations: [Migration] = migrations
  ) throws {
    try connection.transaction { transaction in
      // The number is arbitrary, but must never change.
      _ = try transaction.rows("SELECT pg_advisory_xact_lock(5021733)")
      let isThere = try transaction.row("SELECT to_regclass(?) IS NOT NULL", .text("\(schema).migration"))?[0]
      if try isThere?.integer() != 1 {
        try connection.once("CREATE SCHEMA IF NOT EXISTS \(schema)")
        try connection.once(
          "CREATE TABLE migration (name text PRIMARY KEY, isCompatible boolean NOT NULL, madeAt timestamptz DEFAULT now())"
        )
      }
      let made = try transaction.rows("SELECT name, isCompatible FROM migration").map {
        (name: try $0[0].text(), isCompatible: try $0[1].integer() == 1)
      }
      let known = Set(migrations.map(\.name))
      if made.contains(where: { !known.contains($0.name) && !$0.isCompatible }) { throw NewerSchema() }
      for migration in migrations where !made.contains(where: { $0.name == migration.name }) {
        for statement in migration.statements { try connection.once(statement) }
        try transaction.run(
          "INSERT INTO migration (name, isCompatible) VALUES (?, ?)", .text(migration.name),
          .integer(migration.isCompatible ? 1 : 0))
      }
    }
  }

  struct NewerSchema: Error {}

  private static let sessions: [String] = [
    // The collation `C` sorts by bytes, as SQLite does.
    """
    CREATE TABLE session (
      key text COLLATE "C" PRIMARY KEY,
      onside text NOT NULL,
      usedAt text COLLATE "C" NOT NULL,
      profile text,
      launch text,
      formerLaunch text,
      isLasting smallint NOT NULL DEFAULT 1,
      world text
    )
    """,
    "CREATE INDEX sessionByUse ON session (isLasting, usedAt)",
    "CREATE INDEX sessionByWorld ON session (world)",
    rows("purchase"), "CREATE INDEX purchaseByID ON purchase (id)",
    rows("queuedTransaction"),
    """
    CREATE TABLE page (
      sessionKey text COLLATE "C" NOT NULL REFERENCES session ON DELETE CASCADE ON UPDATE CASCADE,
      id text NOT NULL,
      lastSequence bigint NOT NULL,
      forgottenCalls text,
      PRIMARY KEY (sessionKey, id)
    )
    """,
    """
    CREATE TABLE pageEvent (
      sessionKey text COLLATE "C" NOT NULL,
      pageID text NOT NULL,
      sequence bigint NOT NULL,
      action text NOT NULL,
      text bytea NOT NULL,
      PRIMARY KEY (sessionKey, pageID, sequence),
      FOREIGN KEY (sessionKey, pageID) REFERENCES page ON DELETE CASCADE ON UPDATE CASCADE
    )
    """,
    """
    CREATE TABLE pageAnswer (
      sessionKey text COLLATE "C" NOT NULL,
      pageID text NOT NULL,
      number bigint NOT NULL,
      correlationID text NOT NULL,
      action text NOT NULL,
      text bytea NOT NULL,
      PRIMARY KEY (sessionKey, pageID, number),
      FOREIGN KEY (sessionKey, pageID) REFERENCES page ON DELETE CASCADE ON UPDATE CASCADE
    )
    """,
    "CREATE TABLE world (name text PRIMARY KEY, version text NOT NULL, content text NOT NULL)",
    """
    CREATE TABLE worldPurchase (
      worldName text NOT NULL REFERENCES world ON DELETE CASCADE,
      id text NOT NULL,
      content text NOT NULL,
      rowid bigint GENERATED ALWAYS AS IDENTITY,
      PRIMARY KEY (worldName, id)
    )
    """,
    "CREATE INDEX worldPurchaseByID ON worldPurchase (id)",
    // The last session of a world deletes the world.
    """
    CREATE FUNCTION endWorld() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
    BEGIN
      DELETE FROM world WHERE name = OLD.world AND NOT EXISTS (SELECT 1 FROM session WHERE world = OLD.world);
      RETURN NULL;
    END $$
    """,
    """
    CREATE TRIGGER worldEnds AFTER DELETE ON session FOR EACH ROW WHEN (OLD.world IS NOT NULL)
    EXECUTE FUNCTION endWorld()
    """,
    """
    CREATE TABLE controlAnswer (
      id text NOT NULL UNIQUE,
      request bytea NOT NULL,
      endsAt bigint NOT NULL,
      answer bytea NOT NULL,
      rowid bigint GENERATED ALWAYS AS IDENTITY
    )
    """,
    "CREATE INDEX controlAnswerByAge ON controlAnswer (rowid)",
    // Small secret files, such as signing keys. They are encrypted.
    "CREATE TABLE secret (name text PRIMARY KEY, content bytea NOT NULL)",
    // One row for each running server, with the number of its last committed transaction. See `TransactionMark`.
    """
    CREATE TABLE writer (
      id text PRIMARY KEY, epoch bigint NOT NULL, number bigint NOT NULL, usedAt timestamptz NOT NULL DEFAULT now()
    )
    """,
  ]

  /// The error code (`SQLSTATE`) of a write to a session that belongs to another server.
  static let fenceCode = "FB001"

  /// The tables of the servers on the database, and of the sessions and worlds that each owns. Times are milliseconds of the database's clock.
  private static let replicas: [String] = [
    "CREATE TABLE replica (id text PRIMARY KEY, address text NOT NULL, leaseEnd bigint NOT NULL)",
    """
    CREATE TABLE sessionOwner (
      sessionKey text COLLATE "C" PRIMARY KEY,
      replicaID text NOT NULL REFERENCES replica ON DELETE CASCADE,
      fence bigint NOT NULL
    )
    """,
    "CREATE INDEX sessionOwnerByReplica ON sessionOwner (replicaID)",
    // The function raises an error instead of returning rows, so a write needs only one round trip: a server that stops has no transaction
    // open. `FOR SHARE` makes another server that claims one of the sessions wait until the transaction ends.
    """
    CREATE FUNCTION checkFences(keys text[], replica text, fences bigint[]) RETURNS void
    LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
    DECLARE held bigint;
    BEGIN
      SELECT count(*) INTO held FROM (
        SELECT 1 FROM sessionOwner JOIN unnest(keys, fences) AS claimed(key, number)
        ON sessionOwner.sessionKey = claimed.key AND sessionOwner.fence = claimed.number
        WHERE sessionOwner.replicaID = replica ORDER BY sessionOwner.sessionKey FOR SHARE OF sessionOwner
      ) AS owned;
      IF held < cardinality(keys) THEN
        RAISE EXCEPTION 'the session has moved to another server' USING ERRCODE = '\(fenceCode)';
      END IF;
    END $$
    """,
  ]

  /// The table of tokens that were used: all servers together accept each token once. Times are milliseconds.
  private static let usedTokens: [String] = [
    "CREATE TABLE usedToken (id text PRIMARY KEY, endsAt bigint NOT NULL)",
    "CREATE INDEX usedTokenByEnd ON usedToken (endsAt)",
  ]

  /// The table of the snapshots that tests have named.
  private static let snapshots: [String] = [
    """
    CREATE TABLE snapshot (name text COLLATE "C" PRIMARY KEY, content bytea NOT NULL, usedAt text COLLATE "C" NOT NULL)
    """
  ]

  /// Creates a table with rows of sessions, which are read in the order of `rowid`.
  private static func rows(_ name: String) -> String {
    """
    CREATE TABLE \(name) (
      sessionKey text COLLATE "C" NOT NULL REFERENCES session ON DELETE CASCADE ON UPDATE CASCADE,
      id text NOT NULL,
      content text NOT NULL,
      rowid bigint GENERATED ALWAYS AS IDENTITY,
      PRIMARY KEY (sessionKey, id)
    )
    """
  }
}
