import OnsideKit

/// An element of a list of which the store keeps a row for each.
protocol StoreRow: Equatable, Sendable {
  /// Where the rows are.
  static var table: StoreTable { get }
  /// What tells the elements of one session apart.
  var rowID: String { get }
  /// The row's content: JSON text.
  var storedText: [UInt8] { get }
}

extension OnsidePurchase: StoreRow {
  static let table = StoreTable("purchase")
  var rowID: String { id }
}

extension QueuedTransaction: StoreRow {
  static let table = StoreTable("queuedTransaction")
  var rowID: String { transaction.id.text }
}
