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
    let statement = try cachedStatement(sql: sql)
    for (index, value) in values.enumerated() { value.bind(to: statement.sqliteStatement, at: CInt(index + 1)) }
    let result = sqlite3_step(statement.sqliteStatement)
    let message = result == SQLITE_DONE ? nil : lastErrorMessage
    sqlite3_reset(statement.sqliteStatement)
    guard result == SQLITE_DONE else {
      throw DatabaseError(resultCode: ResultCode(rawValue: result), message: message, sql: sql)
    }
  }
}

extension StoreValue {
  /// What tells SQLite to make a copy, since the bytes are there for the call only: a constant that Swift does not import.
  private static let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

  fileprivate func bind(to statement: OpaquePointer, at index: CInt) {
    switch self {
    case .text(var text):
      text.withUTF8 { Self.bind($0, to: statement, at: index) }
    case .utf8(let bytes):
      bytes.withUnsafeBufferPointer { Self.bind($0, to: statement, at: index) }
    case .blob(let bytes):
      // Of no bytes there need not be an address, and then SQLite would take them for NULL.
      sqlite3_bind_zeroblob(statement, index, 0)
      if bytes.isEmpty { return }
      _ = bytes.withUnsafeBufferPointer {
        sqlite3_bind_blob(statement, index, $0.baseAddress, CInt($0.count), Self.transient)
      }
    case .integer(let integer):
      sqlite3_bind_int64(statement, index, Int64(integer))
    case .null:
      sqlite3_bind_null(statement, index)
    }
  }

  private static func bind(_ text: UnsafeBufferPointer<UInt8>, to statement: OpaquePointer, at index: CInt) {
    text.withMemoryRebound(to: CChar.self) { characters in
      _ = sqlite3_bind_text(statement, index, characters.baseAddress, CInt(characters.count), transient)
    }
  }
}
