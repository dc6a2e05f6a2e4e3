import BridgeCore
import BridgeRuntime
import OnsideKit
import Sessions

extension OnsideTrackedEvent {
  /// What native made of the event, as the journal shows it.
  var made: NativeEvent {
    var made = NativeEvent(name: name, parameters: parameters, isAccepted: isAccepted)
    for remark in remarks {
      let reason = remark.reason.rawValue
      switch remark.action {
      case .truncated: made.cut(remark.key, reason)
      case .dropped, .rejected: made.drop(remark.key, reason)
      }
    }
    return made
  }
}

extension Journal {
  /// Records the changes of the stored state.
  ///
  /// - Parameters:
  ///   - transactions: The changes of the queue, which the caller compares once for all.
  ///   - device: The session of the same world that has made them; nil for this one.
  func appendChanges(
    from old: OnsideState, to new: OnsideState, _ transactions: RowChanges<QueuedTransaction>, by device: String?
  ) {
    let cause: [String: JSONValue] = device.map { ["device": .string($0)] } ?? [:]
    if old.account != new.account {
      append(.store, action: "account", data: ["account": new.account?.json ?? .null])
    }
    if old.settings != new.settings {
      let oldMembers = old.settings.json.objectValue ?? [:]
      let changed = (new.settings.json.objectValue ?? [:]).filter { oldMembers[$0.key] != $0.value }
      append(.store, action: "settings", data: changed.merging(cause) { $1 })
    }
    append(transactions)
    for (_, purchase) in RowChanges(from: old.ledger.purchases, to: new.ledger.purchases).written {
      append(.store, action: "purchase") { purchase.members.merging(cause) { $1 } }
    }
    if old.ledger.subscriptions != new.ledger.subscriptions {
      let subscriptions: [String: JSONValue] = ["subscriptions": .array(new.ledger.subscriptions.map(\.json))]
      append(.store, action: "subscriptions", data: subscriptions.merging(cause) { $1 })
    }
  }

  private func append(_ changes: RowChanges<QueuedTransaction>) {
    for (former, entry) in changes.written {
      if former?.transaction != entry.transaction || former?.wait != entry.wait {
        append(.store, action: "transaction") { entry.members }
      }
    }
    for id in changes.removed {
      append(.store, action: "transaction") { ["id": .string(id), "state": "removed"] }
    }
  }
}
