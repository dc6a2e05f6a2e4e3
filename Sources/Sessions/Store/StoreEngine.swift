/// The database of a ``SessionStore``. It knows tables and transactions, and nothing of sessions.
package protocol StoreEngine: Sendable {
  /// Reads in a transaction that sees one state of the database. Does not wait for writers.
  func read<Value: Sendable>(
    _ body: @escaping @Sendable (any StoreTransaction) throws -> Value
  ) async throws -> Value

  /// The same, on the caller's thread. For the start alone.
  func readNow<Value>(_ body: (any StoreTransaction) throws -> Value) throws -> Value

  /// Writes in a transaction. Returns when it is durable. If it fails, nothing of it is there. The body may run more than once.
  ///
  /// - Throws: ``StoreFailure``, and nothing else.
  func write(_ body: @escaping @Sendable (any StoreTransaction) throws -> Void) async throws(StoreFailure)

  /// The server stops. What is under way does not wait long for the database any more.
  func willClose()

  /// Closes the database. Nothing more is stored.
  func close()

  // MARK: Damage

  /// Whether the database was not closed properly, so that it needs a ``check()``.
  var needsCheck: Bool { get }

  /// Checks the database for damage. May take seconds. Nothing waits for it.
  func check() async -> Bool

  /// Sets a damaged database aside and creates a new one, which is empty.
  ///
  /// - Throws: ``StateError/unusable(_:reason:)`` if a new one cannot be created.
  func replaceDamaged() async throws

  /// Whether an error of ``read(_:)`` says that the database is damaged.
  func isDamage(_ error: any Error) -> Bool

  /// What is thrown at the start if the database cannot be used because of `error`.
  func unusable(_ error: any Error) -> StateError
}
