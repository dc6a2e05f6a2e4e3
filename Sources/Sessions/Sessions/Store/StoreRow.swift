public import BridgeRuntime
import Essentials

/// An element of a list that the store keeps as rows.
@usableFromInline
package protocol StoreRow: Equatable, Sendable {
  /// The table of the rows.
  static var table: StoreTable { get }
  /// The id of the element within its session.
  var rowID: String { get }
  /// The row's content: JSON text.
  var storedText: [UInt8] { get }
  /// Whether both are the same element, perhaps at different times: their ids are equal.
  func isSameRow(as other: Self) -> Bool
}

/// Compares the ids. A type whose id is not a text compares it without making one.
extension StoreRow {
  @inlinable
  package func isSameRow(as other: Self) -> Bool { rowID == other.rowID }
}

/// A table with rows of sessions or worlds, and the SQL statements for it. The texts are built once, since prepared statements are looked up
/// by their text.
@usableFromInline
package struct StoreTable: Sendable {
  private let select: String
  private let owner: String
  /// Writes a row.
  @usableFromInline
  package let insert: String
  /// Deletes a row.
  @usableFromInline
  package let delete: String
  /// Deletes all rows of a session or world.
  @usableFromInline
  package let deleteAll: String

  package init(_ name: String, owner: String = "sessionKey") {
    self.owner = owner
    select = "SELECT content, \(owner) FROM \(name)"
    insert = """
      INSERT INTO \(name) (\(owner), id, content) VALUES (?, ?, ?)
      ON CONFLICT (\(owner), id) DO UPDATE SET content = excluded.content
      """
    delete = "DELETE FROM \(name) WHERE \(owner) = ? AND id = ?"
    deleteAll = "DELETE FROM \(name) WHERE \(owner) = ?"
  }

  /// Reads the contents of the rows of sessions or worlds, in order, each with its owner.
  package func rows(of owners: [String]) -> StoreQuery { StoreQuery(select, owner, in: owners, "ORDER BY rowid") }
}

extension SharedList where Element: StoreRow {
  /// Writes the rows that differ from `former`; all rows if `former` is nil.
  @inlinable
  package func writeRows(
    since former: SharedList?, of owner: String, in table: StoreTable = Element.table,
    to transaction: any StoreTransaction
  ) throws {
    let key = StoreValue.text(owner)
    if former == nil { try transaction.run(table.deleteAll, key) }
    let changes = RowChanges(from: former ?? [], to: self)
    for (_, row) in changes.written {
      try transaction.run(table.insert, key, .text(row.rowID), .utf8(row.storedText))
    }
    for id in changes.removed { try transaction.run(table.delete, key, .text(id)) }
  }
}

extension SharedList where Element: StoreRow & Decodable {
  /// Reads the answer to ``StoreTable/rows(of:)``.
  ///
  /// - Throws: `DecodingError` if a row is damaged.
  package init(rows: [[StoreValue]]) throws {
    let decoder = JSONDecoder()
    self.init(try rows.map { try decoder.decode(Element.self, from: Data($0[0].requiredBytes())) })
  }
}
