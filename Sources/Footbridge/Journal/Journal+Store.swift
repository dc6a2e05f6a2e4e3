import BridgeCore
import BridgeRuntime
import Onside

extension Journal {
  /// Tells what has changed of what the session keeps.
  func appendChanges(from old: OnsideState, to new: OnsideState) {
    if old.account != new.account {
      append(.store, action: "account", data: ["account": new.account?.json ?? .null])
    }
    if old.settings != new.settings {
      let oldMembers = old.settings.json.objectValue ?? [:]
      let changed = (new.settings.json.objectValue ?? [:]).filter { oldMembers[$0.key] != $0.value }
      append(.store, action: "settings", data: changed)
    }
    if old.transactions != new.transactions {
      appendChanges(from: old.transactions, to: new.transactions)
    }
    for purchase in RowChanges(from: old.ledger.purchases, to: new.ledger.purchases, id: \.id).written {
      append(.store, action: "purchase", data: purchase.members)
    }
    if old.ledger.subscriptions != new.ledger.subscriptions {
      append(.store, action: "subscriptions", data: ["subscriptions": .array(new.ledger.subscriptions.map(\.json))])
    }
  }

  private func appendChanges(from old: [QueuedTransaction], to new: [QueuedTransaction]) {
    // Of many transactions that wait, few change at a time.
    let same = zip(old, new).prefix { $0 == $1 }.count
    let (old, new) = (old[same...], new[same...])
    let oldEntries = Dictionary(old.map { ($0.transaction.id, $0) }) { $1 }
    for entry in new {
      let oldEntry = oldEntries[entry.transaction.id]
      if oldEntry?.transaction != entry.transaction || oldEntry?.wait != entry.wait {
        append(.store, action: "transaction", data: entry.members)
      }
    }
    let left = Set(new.map(\.transaction.id))
    for entry in old where !left.contains(entry.transaction.id) {
      append(.store, action: "transaction", data: ["id": .string(entry.transaction.id), "state": "removed"])
    }
  }
}
