import Sessions

/// A transaction of PostgreSQL. Statements that only write stay in the pipeline until queries, or the end, make a round trip.
struct PostgreSQLTransaction: StoreTransaction {
  let connection: PostgreSQLConnection

  func run(_ sql: String, _ values: ArraySlice<StoreValue>) throws {
    try connection.send(sql, values)
  }

  func rows(_ sql: String, _ values: ArraySlice<StoreValue>) throws -> [[StoreValue]] {
    try connection.rows(sql, values)
  }

  func rows(ofAll queries: [StoreQuery]) throws -> [[[StoreValue]]] {
    try connection.rows(ofAll: queries)
  }
}

extension PostgreSQLConnection {
  /// Runs `body` in a transaction. Commits it, or rolls it back if `body` throws.
  ///
  /// - Throws: The error of `body`, or a ``PostgreSQLError``.
  func transaction<Value>(_ mode: String = "", _ body: (any StoreTransaction) throws -> Value) throws -> Value {
    try begin(mode)
    do {
      let value = try body(PostgreSQLTransaction(connection: self))
      try commit()
      return value
    } catch {
      if (error as? PostgreSQLError)?.isLost != true { try rollBack() }
      throw error
    }
  }
}
