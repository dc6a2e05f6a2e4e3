import BridgeRuntime
import Essentials
import GRDB
import GRDBSQLite

/// A value for a parameter of a statement.
enum StoreValue {
  case text(String)
  /// UTF-8 bytes. SQLite stores them as text.
  case utf8([UInt8])
  case blob([UInt8])
  case integer(Int)
  case null
}

extension Database {
  /// Runs a statement without rows. Prepared statements are reused, since preparing takes longer than running. The parameters are bound
  /// directly, which takes a fraction of the time of GRDB's general way.
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
  /// Binds values to the statement's parameters while `body` runs, so that SQLite makes no copies.
  ///
  /// - Parameter values: The values that remain to be bound. The index of each is one less than its parameter's.
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
        // An empty array may have no address, and SQLite would bind NULL.
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

/// An element of a list that the store keeps as rows.
protocol StoreRow: Equatable, Sendable {
  /// The table of the rows.
  static var table: StoreTable { get }
  /// The id of the element within its session.
  var rowID: String { get }
  /// The row's content: JSON text.
  var storedText: [UInt8] { get }
}

extension SharedList where Element: StoreRow {
  /// Writes the rows that differ from `former`; all of them when there is none.
  func writeRows(
    since former: SharedList?, of owner: String, in table: StoreTable = Element.table, to database: Database
  ) throws {
    let key = StoreValue.text(owner)
    if former == nil { try database.run(table.deleteAll, key) }
    let changes = RowChanges(from: former ?? [], to: self)
    for (_, row) in changes.written {
      try database.run(table.insert, key, .text(row.rowID), .utf8(row.storedText))
    }
    for id in changes.removed { try database.run(table.delete, key, .text(id)) }
  }
}

extension SharedList where Element: StoreRow & Decodable {
  /// Reads the rows of a session or a world, in their order.
  ///
  /// - Throws: `DecodingError` when one is damaged.
  init(rowsOf owner: String, in table: StoreTable = Element.table, from database: Database) throws {
    let texts = try Data.fetchAll(database, sql: table.select, arguments: [owner])
    let decoder = JSONDecoder()
    self.init(try texts.map { try decoder.decode(Element.self, from: $0) })
  }
}
