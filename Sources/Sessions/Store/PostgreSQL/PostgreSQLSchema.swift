/// The schema in PostgreSQL and its history. A released migration never changes: databases that it has created exist.
enum PostgreSQLSchema {
  /// A step from one version of the schema to the next.
  struct Migration: Sendable {
    let name: String
    /// Whether servers of the version before can go on with the schema, so that servers are replaced one after the other.
    let isCompatible: Bool
    let statements: [String]
  }

  /// All steps, oldest first. New ones come last.
  static let migrations = [
    Migration(name: "sessions", isCompatible: false, statements: sessions),
    Migration(name: "replicas", isCompatible: false, statements: replicas),
    Migration(name: "usedTokens", isCompatible: true, statements: usedTokens),
    // The replica that is about to answer; NULL once it has.
    Migration(
      name: "answerHolder", isCompatible: true, statements: ["ALTER TABLE controlAnswer ADD COLUMN holder text"]),
  ]

  /// Brings the schema to the present version. Servers that start at the same time take turns.
  ///
  /// - Throws: ``PostgreSQLError``; ``NewerSchema`` if a newer version of Footbridge has changed it so that this one cannot use it.
  static func migrate(
    _ connection: PostgreSQLConnection, schema: String, _ migrations: [Migration] = migrations
  ) throws {
    try connection.transaction { transaction in
      // Any number does, as long as it is always the same.
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
    // `C`: sorted by bytes, as in SQLite.
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
    // A world ends with its last session.
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
    // Signing keys and the like, sealed.
    "CREATE TABLE secret (name text PRIMARY KEY, content bytea NOT NULL)",
    // A row for each running server. Its number says which of the server's transactions was the last one.
    """
    CREATE TABLE writer (
      id text PRIMARY KEY, epoch bigint NOT NULL, number bigint NOT NULL, usedAt timestamptz NOT NULL DEFAULT now()
    )
    """,
  ]

  /// The code of the error of a write whose session belongs to another server.
  static let fenceCode = "FB001"

  /// The servers on the database, and which sessions and worlds are whose. Times are milliseconds of the database's clock.
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
    // A statement without rows, so that a write stays one round trip: a server that is stopped has no transaction open. A take-over of one
    // of the sessions waits until the transaction is over, or has come before.
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

  /// What servers on the database accept once. Times are milliseconds.
  private static let usedTokens: [String] = [
    "CREATE TABLE usedToken (id text PRIMARY KEY, endsAt bigint NOT NULL)",
    "CREATE INDEX usedTokenByEnd ON usedToken (endsAt)",
  ]

  /// Rows of sessions, in the order of their `rowid`.
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
