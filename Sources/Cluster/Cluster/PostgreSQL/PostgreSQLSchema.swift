import Sessions

/// The tables in PostgreSQL.
enum PostgreSQLSchema {
  /// Creates the tables in an empty schema. Checks those of any other schema. If several servers start at the same time, they take turns.
  ///
  /// - Throws: ``StateError`` if this program cannot use the tables; ``PostgreSQLError``.
  static func prepare(_ connection: PostgreSQLConnection, _ schema: String, at address: PostgreSQLAddress) throws {
    try connection.transaction { transaction in
      // The number is arbitrary, but must never change.
      _ = try transaction.rows("SELECT pg_advisory_xact_lock(5021733)")
      func count(_ sql: String, _ name: String) throws -> Int {
        try transaction.row("SELECT count(*) FROM \(sql)", .text(name))?[0].integer() ?? 0
      }
      if try count("pg_class WHERE relnamespace = to_regnamespace(?)", schema) == 0 {
        // Its owner may have made the schema for a user who has no right to do so.
        if try count("pg_namespace WHERE nspname = ?", schema) == 0 { try connection.once("CREATE SCHEMA \(schema)") }
        for statement in statements { try connection.once(statement) }
        return try StoreSchema.write(to: transaction)
      }
      let hasVersion = try count("pg_class WHERE oid = to_regclass(?)", "\(schema).schemaVersion") == 1
      let found = try hasVersion ? StoreSchema(from: transaction) : nil
      if found?.isUsable == true { return }
      throw StoreSchema.unusable(
        address.description, found, removal: "Drop the schema (DROP SCHEMA \(schema) CASCADE)")
    }
  }

  private static let statements = [StoreSchema.statement] + sessions + replicas + usedTokens + snapshots

  private static let sessions: [String] = [
    // The columns from `profile` to `bridges` are JSON. `bridges` is NULL for a session without bridges of its own. The collation `C` sorts
    // by bytes, as SQLite does.
    """
    CREATE TABLE session (
      key text COLLATE "C" PRIMARY KEY,
      onside text NOT NULL,
      usedAt text COLLATE "C" NOT NULL,
      isLasting smallint NOT NULL DEFAULT 1,
      world text,
      profile text,
      launch text,
      formerLaunch text,
      bridges text
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
    // For `markVersion`, see `Replica`.
    """
    CREATE TABLE replica (
      id text PRIMARY KEY, address text NOT NULL, markVersion integer NOT NULL, leaseEnd bigint NOT NULL
    )
    """,
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
