import GRDB
import GRDBSQLite

/// What a statement of the store is given for one of its parameters.
enum StoreValue {
  case text(String)
  /// Bytes that are UTF-8: SQLite keeps them as text.
  case utf8([UInt8])
  case blob([UInt8])
  case integer(Int)
  case null
}

extension Database {
  /// Runs a statement that gives no rows. It was prepared before, if it was: preparing takes longer than running. Its parameters are bound
  /// as they are, which takes a fraction of what GRDB's own way takes, where any type can be a value.
  func run(_ sql: String, _ values: StoreValue...) throws {
    try run(sql, values[...])
  }

  /// Runs a statement that returns nothing, with these values.
  func run(_ sql: String, _ values: ArraySlice<StoreValue>) throws {
    let statement = try cachedStatement(sql: sql).sqliteStatement
    let result = StoreValue.withBound(values, to: statement) { sqlite3_step(statement) }
    let message = result == SQLITE_DONE ? nil : lastErrorMessage
    sqlite3_reset(statement)
    guard result == SQLITE_DONE else {
      throw DatabaseError(resultCode: ResultCode(rawValue: result), message: message, sql: sql)
    }
  }
}

extension StoreValue {
  /// Binds values to the statement's parameters for as long as `body` runs: SQLite makes no copies of them.
  ///
  /// - Parameter values: Those that are still to be bound; the index of each is one less than its parameter's.
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
        // Of no bytes there need not be an address, and then SQLite would take them for NULL.
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
