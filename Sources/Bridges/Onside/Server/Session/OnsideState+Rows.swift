package import BridgeCore
package import BridgeRuntime
package import Essentials
package import OnsideKit
public import Sessions

/// How the state is stored: each order and transaction has a row, the two launch states have a column each, and the rest has one column.
extension OnsideState: BridgeState {
  package static var column: String { "onside" }
  package static var otherColumns: [String] { ["launch", "formerLaunch"] }
  package static var tables: [StoreTable] { [OnsidePurchase.table, QueuedTransaction.table] }

  package func columnContent() throws -> [UInt8] {
    var short = self
    short.ledger.purchases = []
    if let world {
      // The world has its own row.
      short.ledger = OnsideLedger()
      short = short.joining(world: world.name)
    }
    short.transactions = []
    short.launch = OnsideLaunchState()
    short.formerLaunch = nil
    return try SessionStore.encoded(short)
  }

  package func hasSameColumn(as former: OnsideState) -> Bool {
    var former = former
    if let world, former.world?.name == world.name {
      former = former.joining(world)
      former.common = common
    }
    former.ledger.purchases = ledger.purchases
    former.transactions = transactions
    former.launch = launch
    former.formerLaunch = formerLaunch
    return former == self
  }

  package func writeRows(since former: OnsideState?, of sessionKey: String, to transaction: any StoreTransaction) throws
  {
    if former?.launch != launch || former?.formerLaunch != formerLaunch {
      try transaction.run(
        "UPDATE session SET launch = ?, formerLaunch = ? WHERE key = ?",
        .utf8(try SessionStore.encoded(launch)),
        try formerLaunch.map { .utf8(try SessionStore.encoded($0)) } ?? .null,
        .text(sessionKey))
    }
    if let world {
      try writeWorld(world, since: former, of: sessionKey, to: transaction)
    } else {
      try ledger.purchases.writeRows(since: former?.ledger.purchases, of: sessionKey, to: transaction)
    }
    try transactions.writeRows(since: former?.transactions, of: sessionKey, to: transaction)
  }

  package static func read(
    column content: Data, others: [StoreValue], rows: [[[StoreValue]]], from transaction: any StoreTransaction
  ) throws -> OnsideState {
    let decoder = JSONDecoder()
    var state = try decoder.decode(OnsideState.self, from: content)
    func launch(_ column: StoreValue) throws -> OnsideLaunchState? {
      try column.data.map { try decoder.decode(OnsideLaunchState.self, from: $0) }
    }
    state.launch = try launch(others[0]) ?? state.launch
    state.formerLaunch = try launch(others[1])
    state.ledger.purchases = try SharedList(rows: rows[0])
    state.transactions = try SharedList(rows: rows[1])
    return try state.withWorld(from: transaction)
  }

  /// Orders and transactions are as in their rows: Foundation would write ids in upper case.
  package func exported() throws -> JSONValue {
    var members = try JSONValue(parsing: try columnContent()).objectValue ?? [:]
    var ledger = members["ledger"]?.objectValue ?? [:]
    ledger["purchases"] = .array(try self.ledger.purchases.map { try JSONValue(parsing: $0.storedText) })
    members["ledger"] = .object(ledger)
    members["transactions"] = .array(try transactions.map { try JSONValue(parsing: $0.storedText) })
    members["launch"] = nil
    return .object(members)
  }

  package var serverWideIDs: Set<String> { orderIDs }

  package func withNewServerWideIDs(_ random: BridgeRandom) -> OnsideState { withNewOrderIDs(random) }

  package static func isStored(oneOf ids: Set<String>, in transaction: any StoreTransaction) throws -> Bool {
    var rest = Array(ids)[...]
    while !rest.isEmpty {
      let some = Array(rest.prefix(StoreQuery.mostKeys))
      rest = rest.dropFirst(some.count)
      let queries = ["purchase", "worldPurchase"].map { StoreQuery("SELECT id FROM \($0)", "id", in: some, "LIMIT 1") }
      if try !transaction.rows(ofAll: queries).allSatisfy(\.isEmpty) { return true }
    }
    return false
  }

  /// A file belongs to no world: its orders become the session's own.
  package static func imported(_ text: Data) throws -> OnsideState {
    try JSONDecoder().decode(OnsideState.self, from: text).joining(world: nil)
  }
}

extension OnsidePurchase: StoreRow {
  package static let table = StoreTable("purchase")
  package var rowID: String { id }
}

extension QueuedTransaction: StoreRow {
  package static let table = StoreTable("queuedTransaction")
  package var rowID: String { transaction.id.text }
  package func isSameRow(as other: QueuedTransaction) -> Bool { transaction.id == other.transaction.id }
}

extension SessionRecord {
  /// The store's side of a session: settings, account, orders, transactions.
  var onside: OnsideState {
    get { self[OnsideState.self] ?? OnsideState(settings: OnsideSettings()) }
    set { self[OnsideState.self] = newValue }
  }
}

extension SessionStore {
  /// The key of a session that has an order: its own or, of those that share its world, the one that was used last.
  func key(ofOrder orderID: String) async throws -> String? {
    let sql = """
      SELECT sessionKey FROM purchase WHERE id = ?1
      UNION ALL
      SELECT key FROM (
        SELECT session.key AS key FROM worldPurchase JOIN session ON session.world = worldPurchase.worldName
        WHERE worldPurchase.id = ?1 ORDER BY session.usedAt DESC LIMIT 1
      ) AS latest
      LIMIT 1
      """
    return try await read { try $0.row(sql, .text(orderID))?[0].text() }
  }
}
