import BridgeRuntime
import Essentials
import GRDB

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
  func writeRows(since former: SharedList?, of sessionKey: String, to database: Database) throws {
    let key = StoreValue.text(sessionKey)
    if former == nil { try database.run(Element.table.deleteAll, key) }
    let changes = RowChanges(from: former ?? [], to: self)
    for (_, row) in changes.written {
      try database.run(Element.table.insert, key, .text(row.rowID), .utf8(row.storedText))
    }
    for id in changes.removed { try database.run(Element.table.delete, key, .text(id)) }
  }
}

extension SharedList where Element: StoreRow & Decodable {
  /// Reads the rows of a session, in their order.
  ///
  /// - Throws: `DecodingError` when one is damaged.
  init(rowsOf sessionKey: String, from database: Database) throws {
    let texts = try Data.fetchAll(database, sql: Element.table.select, arguments: [sessionKey])
    let decoder = JSONDecoder()
    self.init(try texts.map { try decoder.decode(Element.self, from: $0) })
  }
}
