/// The database of a ``SessionStore``. It knows transactions, but not sessions.
package protocol StoreEngine: Sendable {
  /// Reads in a transaction with one consistent view of the database. Does not wait for writers.
  func read<Value: Sendable>(
    _ body: @escaping @Sendable (any StoreTransaction) throws -> Value
  ) async throws -> Value

  /// Reads on the caller's thread. Use it only while the server starts.
  func readNow<Value>(_ body: (any StoreTransaction) throws -> Value) throws -> Value

  /// Writes in a transaction. Returns when it is durable. If it fails, it changes nothing. `body` may run more than once.
  ///
  /// - Throws: ``StoreFailure``.
  func write(_ body: @escaping @Sendable (any StoreTransaction) throws -> Void) async throws(StoreFailure)

  /// Tells the database that the server stops. Calls no longer wait long for it.
  func willClose()

  /// Closes the database.
  func close()

  // MARK: Owners

  /// Checks that the server that writes still owns these sessions and worlds. No other server can claim them before the transaction ends.
  ///
  /// - Throws: ``StoreFailure/fenced`` if the server has lost one of them.
  func check(_ fences: Set<SessionFence>, in transaction: any StoreTransaction) throws

  /// Owns those of these sessions that nobody owns, until the transaction ends, and returns them. Who claims one meanwhile waits, also if
  /// the claim has begun before and cannot be seen yet.
  func hold(_ keys: [String], for replica: String, in transaction: any StoreTransaction) throws -> [String]

  /// Ends what ``hold(_:for:in:)`` began.
  func release(_ keys: [String], of replica: String, in transaction: any StoreTransaction) throws

  // MARK: Damage

  /// Whether the database was not closed properly. It then needs a ``check()``.
  var needsCheck: Bool { get }

  /// Checks the database for damage, in the background. This may take seconds.
  func check() async -> StoreCondition

  /// Renames a damaged database and creates an empty one.
  ///
  /// - Throws: ``StateError/unusable(_:reason:)`` if a new one cannot be created yet. It is tried again when the database is used.
  func replaceDamaged() async throws

  /// Whether an error of ``read(_:)`` may mean that the database is damaged.
  func mayBeDamage(_ error: any Error) -> Bool

  /// Whether an error of ``read(_:)`` comes from the database, not from the statement or the content of a row.
  func isUnavailable(_ error: any Error) -> Bool

  /// Converts an error of the database to the error that the start of the server throws.
  func unusable(_ error: any Error) -> StateError
}

/// A database that no other server shares.
extension StoreEngine {
  package func check(_ fences: Set<SessionFence>, in transaction: any StoreTransaction) {}
  package func hold(_ keys: [String], for replica: String, in transaction: any StoreTransaction) -> [String] { keys }
  package func release(_ keys: [String], of replica: String, in transaction: any StoreTransaction) {}
}

/// What a check of a database has found.
package enum StoreCondition: Sendable, Hashable {
  case whole
  /// Its content is wrong.
  case damaged
  /// The disk cannot read it at the moment, for this reason.
  case unreadable(String)
}
