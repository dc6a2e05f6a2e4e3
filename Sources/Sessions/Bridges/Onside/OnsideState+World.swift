import BridgeRuntime
import Essentials
package import GRDB
package import OnsideKit

/// What the sessions of a world have in common, as it is kept: a row of the world, and one for each order. Whichever session is stored first
/// writes a change. The version tells the others that it is there.
extension OnsideState {
  package var worldName: String? { world?.name }

  package func left(by loss: StateLoss, new: OnsideState) -> OnsideState {
    switch loss {
    case .newDevice: ofNewDevice
    case .reinstall: reinstalled
    case .reset: reset(to: new)
    }
  }

  package func withWorld(from database: Database) throws -> OnsideState {
    guard let world else { return self }
    let sql = "SELECT version, content FROM world WHERE name = ?"
    guard let row = try Row.fetchOne(database, sql: sql, arguments: [world.name]) else { return self }
    var state = joining(OnsideWorldMark(name: world.name, version: row["version"]))
    let content: Data = row["content"]
    var common = try JSONDecoder().decode(OnsideWorldState.self, from: content)
    common.ledger.purchases = try SharedList(rowsOf: world.name, in: Self.worldPurchases, from: database)
    state.common = common
    return state
  }

  func writeWorld(
    _ world: OnsideWorldMark, since former: OnsideState?, of sessionKey: String, to database: Database
  ) throws {
    let stored = try String.fetchOne(
      database, sql: "SELECT version FROM world WHERE name = ?", arguments: [world.name])
    if stored != world.version {
      var short = common
      short.ledger.purchases = []
      try database.run(
        """
        INSERT INTO world (name, version, content) VALUES (?, ?, ?)
        ON CONFLICT (name) DO UPDATE SET version = excluded.version, content = excluded.content
        """,
        .text(world.name), .text(world.version), .utf8(try SessionStore.encoded(short)))
      // What this session knew before may not be what the store has.
      let known = former?.world?.name == world.name && former?.world?.version == stored ? former : nil
      try ledger.purchases.writeRows(
        since: known?.ledger.purchases, of: world.name, in: Self.worldPurchases, to: database)
    }
    if former?.world?.name != world.name {
      try database.run("UPDATE session SET world = ? WHERE key = ?", .text(world.name), .text(sessionKey))
      // The orders of its own have become the world's.
      try database.run(OnsidePurchase.table.deleteAll, .text(sessionKey))
    }
  }

  private static let worldPurchases = StoreTable("worldPurchase", owner: "worldName")
}
