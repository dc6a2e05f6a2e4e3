import Essentials
import GRDB
import GRDBSQLite

/// A transaction of SQLite. It reuses prepared statements, since preparing a statement takes longer than running it. It binds parameters and
/// reads columns with SQLite's own functions, in a fraction of the time that GRDB takes.
struct SQLiteTransaction: StoreTransaction {
  private let database: Database

  init(_ database: Database) {
    self.database = database
  }

  func run(_ sql: String, _ values: ArraySlice<StoreValue>) throws {
    let statement = try database.cachedStatement(sql: sql).sqliteStatement
    let result = StoreValue.withBound(values, to: statement) { sqlite3_step(statement) }
    try end(statement, result, sql)
  }

  func rows(_ sql: String, _ values: ArraySlice<StoreValue>) throws -> [[StoreValue]] {
    let statement = try database.cachedStatement(sql: sql).sqliteStatement
    var rows: [[StoreValue]] = []
    let result = StoreValue.withBound(values, to: statement) {
      var result = sqlite3_step(statement)
      while result == SQLITE_ROW {
        rows.append((0..<sqlite3_column_count(statement)).map { StoreValue(statement, column: $0) })
        result = sqlite3_step(statement)
      }
      return result
    }
    try end(statement, result, sql)
    return rows
  }

  /// Runs `body` as a transaction: everything that it writes becomes durable together, or nothing of it is stored.
  ///
  /// GRDB's own transactions prepare their first and last statement anew each time.
  static func commit(in database: Database, _ body: (SQLiteTransaction) throws -> Void) throws {
    let transaction = SQLiteTransaction(database)
    try transaction.run("BEGIN IMMEDIATE")
    do {
      try body(transaction)
      try transaction.run("COMMIT")
    } catch {
      // Does nothing if SQLite has already rolled back, as it does after some errors. The first error says what has happened.
      try? database.rollback()
      throw error
    }
  }

  /// Resets a statement for its next use.
  private func end(_ statement: OpaquePointer, _ result: CInt, _ sql: String) throws {
    let message = result == SQLITE_DONE ? nil : database.lastErrorMessage
    sqlite3_reset(statement)
    guard result == SQLITE_DONE else {
      throw DatabaseError(resultCode: ResultCode(rawValue: result), message: message, sql: sql)
    }
  }
}

extension StoreValue {
  /// Reads a column of the statement's current row.
  fileprivate init(_ statement: OpaquePointer, column: CInt) {
    switch sqlite3_column_type(statement, column) {
    case SQLITE_INTEGER: self = .integer(Int(sqlite3_column_int64(statement, column)))
    case SQLITE_TEXT:
      // Get the pointer before the count: this may convert the text, which changes its length.
      let bytes = UnsafeRawBufferPointer(
        start: sqlite3_column_text(statement, column), count: Int(sqlite3_column_bytes(statement, column)))
      self = .utf8(Array(bytes))
    case SQLITE_NULL: self = .null
    default:
      let bytes = UnsafeRawBufferPointer(
        start: sqlite3_column_blob(statement, column), count: Int(sqlite3_column_bytes(statement, column)))
      self = .blob(Array(bytes))
    }
  }

  /// Binds values to the statement's parameters while `body` runs, so that SQLite need not copy them.
  ///
  /// - Parameter values: The values that are still to be bound. The index of each is one less than that of its parameter.
  fileprivate static func withBound(
    _ values: ArraySlice<StoreValue>, to statement: OpaquePointer, _ body: () -> CInt
  ) -> CInt {
    guard let value = values.first else { return body() }
    let index = CInt(values.startIndex + 1)
    let others = values.dropFirst()
    switch value {
    case .text(var text):
      return text.withUTF8 { bytes in
        bind(bytes, to: statement, at: index)
        return withBound(others, to: statement, body)
      }
    case .utf8(let text):
      return text.withUnsafeBufferPointer { bytes in
        bind(bytes, to: statement, at: index)
        return withBound(others, to: statement, body)
      }
    case .blob(let blob):
      return blob.withUnsafeBufferPointer { bytes in
        // An empty array may have no address. SQLite would then bind NULL.
        if bytes.isEmpty {
          sqlite3_bind_zeroblob(statement, index, 0)
        } else {
          sqlite3_bind_blob(statement, index, bytes.baseAddress, CInt(bytes.count), nil)
        }
        return withBound(others, to: statement, body)
      }
    case .integer(let integer):
      sqlite3_bind_int64(statement, index, Int64(integer))
    case .null:
      sqlite3_bind_null(statement, index)
    }
    return withBound(others, to: statement, body)
  }

  private static func bind(_ text: UnsafeBufferPointer<UInt8>, to statement: OpaquePointer, at index: CInt) {
    text.withMemoryRebound(to: CChar.self) { characters in
      _ = sqlite3_bind_text(statement, index, characters.baseAddress, CInt(characters.count), nil)
    }
  }
}
