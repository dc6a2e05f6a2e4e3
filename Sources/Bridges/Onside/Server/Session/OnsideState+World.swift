import BridgeRuntime
import Essentials
package import OnsideKit
package import Sessions

/// How the common values of a world are stored: one row for the world, and one for each order. The first session to be stored after a change
/// writes it. By the version, the others see that it was written.
extension OnsideState {
  package var worldName: String? { world?.name }

  package func remaining(by loss: StateLoss, new: OnsideState) -> OnsideState {
    switch loss {
    case .newDevice: ofNewDevice
    case .reinstall: reinstalled
    case .reset: reset(to: new)
    }
  }

  package func withWorld(from transaction: any StoreTransaction) throws -> OnsideState {
    guard let world else { return self }
    let sql = "SELECT version, content FROM world WHERE name = ?"
    guard let row = try transaction.row(sql, .text(world.name)) else { return self }
    var state = joining(OnsideWorldMark(name: world.name, version: try row[0].text()))
    var common = try JSONDecoder().decode(OnsideWorldState.self, from: Data(row[1].requiredBytes()))
    let orders = try transaction.rows(ofAll: [Self.worldPurchases.rows(of: [world.name])])
    common.ledger.purchases = try SharedList(rows: orders[0])
    state.common = common
    return state
  }

  func writeWorld(
    _ world: OnsideWorldMark, since former: OnsideState?, of sessionKey: String, to transaction: any StoreTransaction
  ) throws {
    let stored = try transaction.row("SELECT version FROM world WHERE name = ?", .text(world.name))?[0].text()
    if stored != world.version {
      var short = common
      short.ledger.purchases = []
      try transaction.run(
        """
        INSERT INTO world (name, version, content) VALUES (?, ?, ?)
        ON CONFLICT (name) DO UPDATE SET version = excluded.version, content = excluded.content
        """,
        .text(world.name), .text(world.version), .utf8(try SessionStore.encoded(short)))
      // The store may have other rows than those that this session has seen.
      let known = former?.world?.name == world.name && former?.world?.version == stored ? former : nil
      try ledger.purchases.writeRows(
        since: known?.ledger.purchases, of: world.name, in: Self.worldPurchases, to: transaction)
    }
    if former?.world?.name != world.name {
      try transaction.run("UPDATE session SET world = ? WHERE key = ?", .text(world.name), .text(sessionKey))
      // The session's own orders have become the world's.
      try transaction.run(OnsidePurchase.table.deleteAll, .text(sessionKey))
    }
  }

  private static let worldPurchases = StoreTable("worldPurchase", owner: "worldName")
}
