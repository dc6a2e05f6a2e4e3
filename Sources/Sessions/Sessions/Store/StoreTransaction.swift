import BridgeRuntime
package import Essentials

/// A transaction of the store's database. Its statements are SQL that SQLite and PostgreSQL both understand: parameters are `?` or `?1`,
/// names are not quoted, and `rowid` is the order in which rows were created.
///
/// Statements without rows may run later, but in order, and before the commit. If such a statement fails, the whole transaction fails.
@usableFromInline
package protocol StoreTransaction {
  /// Runs a statement that returns no rows, with these values.
  func run(_ sql: String, _ values: ArraySlice<StoreValue>) throws

  /// Runs a query with these values. Returns the rows, each with its columns in order.
  func rows(_ sql: String, _ values: ArraySlice<StoreValue>) throws -> [[StoreValue]]

  /// Runs queries that do not depend on each other. Returns the rows of each.
  func rows(ofAll queries: [StoreQuery]) throws -> [[[StoreValue]]]
}

/// A query and the values of its parameters.
@usableFromInline
package struct StoreQuery: Sendable {
  package let sql: String
  package let values: [StoreValue]

  package init(_ sql: String, _ values: StoreValue...) {
    self.sql = sql
    self.values = values
  }

  /// Reads the rows in which a column has one of these keys.
  ///
  /// - Parameters:
  ///   - start: The statement before its condition.
  ///   - keys: The keys, at most ``mostKeys``, and at least one.
  ///   - end: The statement after its condition.
  package init(_ start: String, _ column: String, in keys: [String], _ end: String = "") {
    // Only a few texts, since each is prepared once.
    let count = keys.count == 1 ? 1 : keys.count <= 8 ? 8 : Self.mostKeys
    sql = "\(start) WHERE \(column) IN (\(Array(repeating: "?", count: count).joined(separator: ", "))) \(end)"
    values = (0..<count).map { .text(keys[min($0, keys.count - 1)]) }
  }

  /// The maximum number of keys in a query.
  package static let mostKeys = 64
}

extension StoreTransaction {
  /// Runs a statement that returns no rows, with these values.
  @inlinable
  package func run(_ sql: String, _ values: StoreValue...) throws { try run(sql, values[...]) }

  /// Runs a query with these values. Returns the rows, each with its columns in order.
  package func rows(_ sql: String, _ values: StoreValue...) throws -> [[StoreValue]] { try rows(sql, values[...]) }

  package func rows(ofAll queries: [StoreQuery]) throws -> [[[StoreValue]]] {
    try queries.map { try rows($0.sql, $0.values[...]) }
  }

  /// Runs a query with these values. Returns the first row; nil if there is none.
  package func row(_ sql: String, _ values: StoreValue...) throws -> [StoreValue]? {
    try rows(sql, values[...]).first
  }
}

/// A value in a row, or of a parameter of a statement.
@usableFromInline
package enum StoreValue: Sendable, Hashable {
  case text(String)
  /// UTF-8 bytes, which the database stores as text. Texts that are read have this case.
  case utf8([UInt8])
  case blob([UInt8])
  case integer(Int)
  case null
}

/// Reads the values of columns.
extension StoreValue {
  /// The bytes of a text or a blob; nil for NULL and numbers.
  package var bytes: [UInt8]? {
    switch self {
    case .text(let text): Array(text.utf8)
    case .utf8(let bytes), .blob(let bytes): bytes
    case .integer, .null: nil
    }
  }

  /// The bytes as `Data`, for a decoder.
  package var data: Data? { bytes.map { Data($0) } }

  /// The text.
  ///
  /// - Throws: `DecodingError` for NULL and numbers: the row is damaged.
  package func text() throws -> String { String(decoding: try requiredBytes(), as: UTF8.self) }

  /// The bytes of a text or a blob.
  ///
  /// - Throws: `DecodingError` for NULL and numbers: the row is damaged.
  package func requiredBytes() throws -> [UInt8] {
    guard let bytes else { throw Self.damage("text") }
    return bytes
  }

  /// The number.
  ///
  /// - Throws: `DecodingError` for anything else: the row is damaged.
  package func integer() throws -> Int {
    guard case .integer(let integer) = self else { throw Self.damage("a number") }
    return integer
  }

  private static func damage(_ expectation: String) -> DecodingError {
    .dataCorrupted(DecodingError.Context(codingPath: [], debugDescription: "A column does not hold \(expectation)."))
  }
}
