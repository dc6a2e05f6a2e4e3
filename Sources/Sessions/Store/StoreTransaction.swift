import BridgeRuntime
package import Essentials

/// A transaction of the store's database, in which rows are read and written. Its statements are SQL that all databases understand:
/// parameters are `?` or `?1`, names are not quoted, and `rowid` gives the order in which rows were created.
///
/// A statement that only writes may run later than it is given, yet before the transaction is committed and in the order given. Its error
/// then fails the transaction as a whole.
package protocol StoreTransaction {
  /// Runs a statement without rows, with these values.
  func run(_ sql: String, _ values: ArraySlice<StoreValue>) throws

  /// The rows that a statement returns, each with its columns in order.
  func rows(_ sql: String, _ values: ArraySlice<StoreValue>) throws -> [[StoreValue]]
}

extension StoreTransaction {
  /// Runs a statement without rows, with these values.
  package func run(_ sql: String, _ values: StoreValue...) throws { try run(sql, values[...]) }

  /// The rows that a statement returns, each with its columns in order.
  package func rows(_ sql: String, _ values: StoreValue...) throws -> [[StoreValue]] { try rows(sql, values[...]) }

  /// The first row that a statement returns; nil if there is none.
  package func row(_ sql: String, _ values: StoreValue...) throws -> [StoreValue]? {
    try rows(sql, values[...]).first
  }
}

/// A value of a row, or for a parameter of a statement.
package enum StoreValue: Sendable, Hashable {
  case text(String)
  /// UTF-8 bytes, which the database stores as text. Texts that are read come in this form.
  case utf8([UInt8])
  case blob([UInt8])
  case integer(Int)
  case null
}

/// What a column holds.
extension StoreValue {
  /// The bytes of a text or a blob; nil for NULL and numbers.
  package var bytes: [UInt8]? {
    switch self {
    case .text(let text): Array(text.utf8)
    case .utf8(let bytes), .blob(let bytes): bytes
    case .integer, .null: nil
    }
  }

  /// The same for a decoder.
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
