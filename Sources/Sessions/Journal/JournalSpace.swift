import BridgeRuntime

/// The memory that the journals of all sessions have together. When it is used up, the sessions that were idle for longest give up their oldest
/// entries, and at last all of them.
///
/// A journal says how much it holds when a piece of it begins or goes, not with each message.
@BridgeActor
final class JournalSpace {
  private struct Tenant {
    let journal: Journal
    var byteCount = 0
    /// Where the journal was when it was last looked at, and in which round of looking it had been written to.
    var lastCursor = 0
    var lastUse = 0
    /// Which of all pieces was its last to begin: the order of those that were written to between the same two rounds.
    var lastPiece = 0
  }

  /// Called each time that journals have to give up entries.
  var onFull: (() -> Void)?
  /// How many bytes the journals hold, about.
  private(set) var byteCount = 0

  private let byteLimit: Int
  private var tenants: [ObjectIdentifier: Tenant] = [:]
  private var pieceCount = 0
  private var round = 0

  /// Creates space for so many bytes.
  init(byteLimit: Int) {
    self.byteLimit = byteLimit
  }

  /// A journal, which has just been written to, holds so many bytes now.
  func journal(_ journal: Journal, holds count: Int) {
    pieceCount += 1
    var tenant = tenants[ObjectIdentifier(journal)] ?? Tenant(journal: journal)
    byteCount += count - tenant.byteCount
    tenant.byteCount = count
    tenant.lastPiece = pieceCount
    tenants[ObjectIdentifier(journal)] = tenant
    if byteCount > byteLimit { makeRoom(for: journal) }
  }

  /// A journal is gone, and what it held.
  func leave(_ journal: Journal) {
    byteCount -= tenants.removeValue(forKey: ObjectIdentifier(journal))?.byteCount ?? 0
  }

  /// Has journals give up entries until a sixteenth is free: to find those that were idle for longest all of them are looked at.
  private func makeRoom(for writer: Journal) {
    onFull?()
    round += 1
    for (id, tenant) in tenants where tenant.journal.lastCursor != tenant.lastCursor {
      tenants[id]?.lastCursor = tenant.journal.lastCursor
      tenants[id]?.lastUse = round
    }
    let aim = byteLimit - byteLimit / 16
    let byIdleness = tenants.sorted { ($0.value.lastUse, $0.value.lastPiece) < ($1.value.lastUse, $1.value.lastPiece) }
    for (id, tenant) in byIdleness {
      while byteCount > aim, let count = tenant.journal.giveUpOldest(isInUse: tenant.journal === writer) {
        byteCount += count - (tenants[id]?.byteCount ?? 0)
        tenants[id]?.byteCount = count
      }
      if byteCount <= aim { return }
    }
  }
}
