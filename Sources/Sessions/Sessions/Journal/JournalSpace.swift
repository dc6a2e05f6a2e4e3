import BridgeRuntime

/// The memory that the journals of all sessions share. When it is full, the sessions that were idle for longest drop their oldest entries,
/// if necessary all of them.
///
/// A journal reports its size when a piece begins or is freed, not for each message.
@BridgeActor
final class JournalSpace {
  private struct Tenant {
    let journal: Journal
    var byteCount = 0
    /// The journal's cursor at the last check, and the check in which it was last found changed.
    var lastCursor = 0
    var lastUse = 0
    /// The order in which the journal's last piece began. It sorts journals that have changed between the same two checks.
    var lastPiece = 0
  }

  /// Called when journals must drop entries.
  var onFull: (() -> Void)?
  /// The approximate size of all journals in bytes.
  private(set) var byteCount = 0

  private let byteLimit: Int
  private var tenants: [ObjectIdentifier: Tenant] = [:]
  private var pieceCount = 0
  private var round = 0

  /// Creates a space of this size.
  init(byteLimit: Int) {
    self.byteLimit = byteLimit
  }

  /// Notes the size of a journal that was just written to.
  func journal(_ journal: Journal, holds count: Int) {
    pieceCount += 1
    var tenant = tenants[ObjectIdentifier(journal)] ?? Tenant(journal: journal)
    byteCount += count - tenant.byteCount
    tenant.byteCount = count
    tenant.lastPiece = pieceCount
    tenants[ObjectIdentifier(journal)] = tenant
    if byteCount > byteLimit { makeRoom(for: journal) }
  }

  /// Forgets a journal.
  func leave(_ journal: Journal) {
    byteCount -= tenants.removeValue(forKey: ObjectIdentifier(journal))?.byteCount ?? 0
  }

  /// Makes journals drop entries until a sixteenth of the memory is free. Checks all journals to find those that were idle for longest.
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
