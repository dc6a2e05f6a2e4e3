package import BridgeCore
package import BridgeRuntime
package import Essentials
package import GRDB
package import OnsideKit

/// The store's side as it is kept: orders and transactions have a row each, what pages were told has columns, and the rest is one column.
extension OnsideState: BridgeState {
  package static var column: String { "onside" }

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

  package func writeRows(since former: OnsideState?, of sessionKey: String, to database: Database) throws {
    if former?.launch != launch || former?.formerLaunch != formerLaunch {
      try database.run(
        "UPDATE session SET launch = ?, formerLaunch = ? WHERE key = ?",
        .utf8(try SessionStore.encoded(launch)),
        try formerLaunch.map { .utf8(try SessionStore.encoded($0)) } ?? .null,
        .text(sessionKey))
    }
    if let world {
      try writeWorld(world, since: former, of: sessionKey, to: database)
    } else {
      try ledger.purchases.writeRows(since: former?.ledger.purchases, of: sessionKey, to: database)
    }
    try transactions.writeRows(since: former?.transactions, of: sessionKey, to: database)
  }

  package static func read(column content: Data, of sessionKey: String, from database: Database) throws -> OnsideState {
    let decoder = JSONDecoder()
    var state = try decoder.decode(OnsideState.self, from: content)
    let sql = "SELECT launch, formerLaunch FROM session WHERE key = ?"
    if let row = try Row.fetchOne(database, sql: sql, arguments: [sessionKey]) {
      func launch(_ column: String) throws -> OnsideLaunchState? {
        let data: Data? = row[column]
        return try data.map { try decoder.decode(OnsideLaunchState.self, from: $0) }
      }
      state.launch = try launch("launch") ?? state.launch
      state.formerLaunch = try launch("formerLaunch")
    }
    state.ledger.purchases = try SharedList(rowsOf: sessionKey, from: database)
    state.transactions = try SharedList(rowsOf: sessionKey, from: database)
    return try state.withWorld(from: database)
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

  package static func isStored(oneOf ids: Set<String>, in database: Database) throws -> Bool {
    let list = String(decoding: try SessionStore.encoded(Array(ids)), as: UTF8.self)
    let sql = """
      SELECT EXISTS (SELECT 1 FROM purchase WHERE id IN (SELECT value FROM json_each(?1)))
      OR EXISTS (SELECT 1 FROM worldPurchase WHERE id IN (SELECT value FROM json_each(?1)))
      """
    return try Bool.fetchOne(database, sql: sql, arguments: [list]) ?? false
  }

  /// A file is of no world: its orders become the session's own.
  package static func imported(_ text: Data) throws -> OnsideState {
    try JSONDecoder().decode(OnsideState.self, from: text).joining(world: nil)
  }
}

extension OnsidePurchase: StoreRow {
  static let table = StoreTable("purchase")
  var rowID: String { id }
}

extension QueuedTransaction: StoreRow {
  static let table = StoreTable("queuedTransaction")
  var rowID: String { transaction.id.text }
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
        SELECT session.key FROM worldPurchase JOIN session ON session.world = worldPurchase.worldName
        WHERE worldPurchase.id = ?1 ORDER BY session.usedAt DESC LIMIT 1
      )
      LIMIT 1
      """
    return try await read { try String.fetchOne($0, sql: sql, arguments: [orderID]) }
  }
}
